import Table from 'cli-table3';
import { Command } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import { groupBy } from '../base/group-by.ts';
import { type AuditReport, type Break, namedBreak } from '../ledger/audit.ts';
import type { Config } from '../service/config.ts';
import { ledgerKeys, withAuditableBooks } from './open-books.ts';
import { settingsOf, withSettings } from './settings.ts';

/** How many breaks are shown; all are counted. */
const shownMax = 100;

interface Flags {
  readonly json?: true;
  readonly acceptBreaks?: true;
  readonly actor?: string;
  readonly reason?: string;
}

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Recompute every hash, number and reference of the ledger. Exit code 1 when anything does not hold.')
    .option('--json', 'the report as JSON')
    .option('--accept-breaks', 'after a repair: note in the journal that the breaks found are known, and let it go on from there')
    .option('--actor <name>', 'with --accept-breaks: who answers for it')
    .option('--reason <text>', 'with --accept-breaks: why');
  return withSettings(command, ledgerKeys).action(async () => {
    const flags = command.opts<Flags>();
    const config = settingsOf(command);
    if (flags.acceptBreaks === true) await acceptBreaks(config, flags);
    const report = await withAuditableBooks(config, async (books) => books.audit());
    console.log(flags.json === true ? JSON.stringify(report) : text(report));
    if (report.breaks.length > 0) process.exitCode = 1;
  });
}

async function acceptBreaks(config: Config, { actor = '', reason = '' }: Flags): Promise<void> {
  if (actor.trim() === '' || reason.trim() === '') {
    throw new ScanGateError(
      'SG_CONFIG_INVALID',
      '--accept-breaks needs an --actor and a --reason: they are kept in the journal.',
    );
  }
  await withAuditableBooks(
    config,
    async (books) => {
      const { breaks } = await books.audit();
      for (const [facilityUuid, found] of groupBy(breaks, (one) => one.facility_uuid)) {
        await books.acceptBreaks(facilityUuid, { actor, reason, breaks: found.map(namedBreak) });
      }
    },
    { readonly: false },
  );
}

function text({ facilities, breaks, accepted }: AuditReport): string {
  const table = new Table({ head: ['facility', 'records', 'lines', 'head hash'], style: { head: [], border: [] } });
  for (const { facility_uuid, records, lines, head_hash } of facilities) table.push([facility_uuid, records, lines, head_hash]);
  return [table.toString(), ...sentences(breaks), ...known(accepted)].join('\n');
}

function sentences(breaks: readonly Break[]): string[] {
  const [first] = breaks;
  if (first === undefined) return ['Everything holds.'];
  return [`${breaks.length} break(s). The first: ${shown(first)}`, ...listed(breaks)];
}

function known(accepted: readonly Break[]): string[] {
  return accepted.length === 0 ? [] : [`${accepted.length} known break(s), accepted in the journal:`, ...listed(accepted)];
}

function listed(breaks: readonly Break[]): string[] {
  const lines = breaks.slice(0, shownMax).map((found) => `  ${shown(found)}`);
  return breaks.length > shownMax ? [...lines, `  … and ${breaks.length - shownMax} more`] : lines;
}

function shown({ facility_uuid, at, message }: Break): string {
  return `${facility_uuid}, ${at}: ${message}`;
}
