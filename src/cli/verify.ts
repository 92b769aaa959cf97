import Table from 'cli-table3';
import { Command } from 'commander';
import type { AuditReport } from '../ledger/audit.ts';
import { withBooks } from './open-books.ts';
import { settingsOf, withSettings } from './settings.ts';

/** How many breaks are shown; all are counted. */
const shownMax = 100;

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Recompute every hash, number and reference of the ledger. Exit code 1 when anything does not hold.')
    .option('--json', 'the report as JSON');
  return withSettings(command, ['data']).action(() => {
    const report = withBooks(settingsOf(command).data, (books) => books.audit());
    if (command.opts<{ json?: true }>().json) console.log(JSON.stringify(report));
    else console.log(text(report));
    if (report.breaks.length > 0) process.exitCode = 1;
  });
}

function text({ facilities, breaks }: AuditReport): string {
  const table = new Table({ head: ['facility', 'records', 'lines', 'head hash'], style: { head: [], border: [] } });
  for (const { facility_uuid, records, lines, head_hash } of facilities) table.push([facility_uuid, records, lines, head_hash]);
  const [first] = breaks;
  if (first === undefined) return `${table.toString()}\nEverything holds.`;
  const shown = breaks.slice(0, shownMax).map(({ facility_uuid, at, message }) => `  ${facility_uuid}, ${at}: ${message}`);
  return [
    table.toString(),
    `${breaks.length} break(s). The first: ${first.facility_uuid}, ${first.at}: ${first.message}`,
    ...shown,
    ...(breaks.length > shownMax ? [`  … and ${breaks.length - shownMax} more`] : []),
  ].join('\n');
}
