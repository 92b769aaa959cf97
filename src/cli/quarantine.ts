import Table from 'cli-table3';
import { Command } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import type { Corrections, Quarantine } from '../gate/quarantine.ts';
import { answerOf } from '../ingest/http/answer.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { type QuarantineEntry, quarantineItem, resolvedBefore } from '../ledger/quarantine-entry.ts';
import { printable, quoted } from '../scan/rejection.ts';
import { openSystem } from '../service/system.ts';
import { ledgerKeys, withReader, writingKeys } from './open-books.ts';
import { addName, addPair } from './option-values.ts';
import { settingsOf, withSettings } from './settings.ts';
import { instant } from './trace.ts';

export function quarantineCommand(): Command {
  return new Command('quarantine')
    .description('What was rejected: to be read, released as a scan, or discarded.')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(releaseCommand())
    .addCommand(discardCommand());
}

function listCommand(): Command {
  const command = new Command('list')
    .description('What was rejected and is neither released nor discarded, in the order in which it came.')
    .option('--all', 'what is released or discarded as well')
    .option('--facility <id>', 'of this facility only; - is what named none')
    .option('--json', 'one JSON object a line');
  return withSettings(command, ledgerKeys).action(async (flags: { all?: true; facility?: string; json?: true }) => {
    const entries = await withReader(settingsOf(command), (reader) => entriesOf(reader, flags));
    if (flags.json === true) for (const entry of entries) console.log(JSON.stringify(quarantineItem(entry)));
    else console.log(entries.length === 0 ? 'Nothing is in quarantine.' : tableOf(entries));
  });
}

async function entriesOf(
  reader: LedgerReader,
  { all, facility }: { all?: true; facility?: string },
): Promise<readonly QuarantineEntry[]> {
  const query = { limit: 1_000, isOpen: all !== true, ...(facility !== undefined && { facilityUuid: facility }) };
  const entries: QuarantineEntry[] = [];
  for (let after = '0'; ; ) {
    const { items, next } = await reader.quarantine({ ...query, after });
    entries.push(...items);
    if (items.length < query.limit) return entries;
    after = next;
  }
}

function tableOf(entries: readonly QuarantineEntry[]): string {
  const table = new Table({
    head: ['id', 'received (UTC)', 'facility', 'scanner', 'why', 'status'],
    style: { head: [], border: [] },
  });
  for (const entry of entries) {
    const { quarantine_id, received_at, facility_uuid, scanner_id = '', code = '', reason, status } = quarantineItem(entry);
    table.push([quarantine_id, instant(received_at), facility_uuid, scanner_id, reason ?? code, status]);
  }
  return table.toString();
}

function showCommand(): Command {
  const command = new Command('show')
    .description('One input that was rejected: from whom, when, why, and what it was, byte for byte.')
    .argument('<id>', 'as in quarantine_id')
    .option('--json', 'as JSON, the bytes in base64');
  return withSettings(command, ledgerKeys).action(async (id: string, { json }: { json?: true }) => {
    const { entry, raw } = await withReader(settingsOf(command), async (reader) => {
      const bytes = await reader.quarantined(id);
      return { entry: await reader.quarantineEntry(id), raw: Buffer.from(bytes ?? []) };
    });
    if (entry === undefined) throw notFound(id);
    const item = quarantineItem(entry);
    if (json === true) console.log(JSON.stringify({ ...item, raw_base64: raw.toString('base64') }));
    else console.log(story(item, raw));
  });
}

function story({ resolution, ...item }: ReturnType<typeof quarantineItem>, raw: Buffer): string {
  const shown = { ...item, received_at: instant(item.received_at) };
  return [
    ...Object.entries(shown).map(([name, value]) => `${name}: ${String(value)}`),
    ...(resolution === undefined
      ? []
      : [`${item.status} at ${instant(resolution.decided_at)} by ${resolution.actor}: ${resolution.reason}`]),
    'What was received:',
    printable(raw.toString('utf8'), 10_000),
  ].join('\n');
}

interface AnswersFor {
  readonly actor: string;
  readonly reason: string;
}

function releaseCommand(): Command {
  const command = withAnswerer(
    new Command('release')
      .description('Release it as a scan with the time and the scan id that it came with. It is committed at most once.')
      .argument('<id>', 'as in quarantine_id')
      .option('--set <field=value>', 'a field to be put in place of what came, repeatable', addPair)
      .option('--unset <field>', 'a field to be taken out, repeatable', addName),
  );
  return withSettings(command, [
    ...writingKeys,
    'captured_age_ms_max',
    'captured_ahead_ms_max',
    'check_on_start',
    'allow_network_file_system',
  ]).action(
    async (
      id: string,
      { actor, reason, set = {}, unset = [] }: AnswersFor & { set?: Corrections; unset?: readonly string[] },
    ) => {
      const corrections = { ...set, ...Object.fromEntries(unset.map((field) => [field, null])) };
      const result = await withQuarantine(command, (quarantine) => quarantine.release({ id, actor, reason, corrections }));
      if (result.kind === 'decided') {
        const { body, status } = answerOf(result.verdict);
        console.log(JSON.stringify(body));
        process.exitCode = status < 300 ? 0 : 2;
      } else throw refusal(id, result);
    },
  );
}

function discardCommand(): Command {
  const command = withAnswerer(
    new Command('discard')
      .description('Discard it: it never becomes a scan. Its bytes are kept.')
      .argument('<id>', 'as in quarantine_id'),
  );
  return withSettings(command, [...ledgerKeys, 'allow_unsafe_ledger', 'check_on_start', 'allow_network_file_system']).action(
    async (id: string, { actor, reason }: AnswersFor) => {
      const result = await withQuarantine(command, (quarantine) => quarantine.discard({ id, actor, reason }));
      if (result.kind !== 'discarded') throw refusal(id, result);
      console.log(JSON.stringify(quarantineItem(result.entry)));
    },
  );
}

function withAnswerer(command: Command): Command {
  return command
    .requiredOption('--actor <name>', 'who answers for it; kept in the journal')
    .requiredOption('--reason <text>', 'why; kept in the journal');
}

async function withQuarantine<T>(command: Command, use: (quarantine: Quarantine) => Promise<T>): Promise<T> {
  const { quarantine, close } = await openSystem(settingsOf(command));
  try {
    return await use(quarantine);
  } finally {
    await close();
  }
}

function refusal(
  id: string,
  result: Exclude<Awaited<ReturnType<Quarantine['release' | 'discard']>>, { kind: 'decided' | 'discarded' }>,
): ScanGateError {
  if (result.kind === 'not_found') return notFound(id);
  if (result.kind === 'refused') return new ScanGateError(result.rejection.code, result.rejection.message);
  return new ScanGateError('SG_QUARANTINE_RESOLVED', `${id} ${resolvedBefore(result.entry)}`);
}

function notFound(id: string): ScanGateError {
  return new ScanGateError('SG_NOT_FOUND', `There is nothing in quarantine under ${quoted(id)}.`);
}
