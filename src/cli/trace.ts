import Table from 'cli-table3';
import { Command } from 'commander';
import { groupBy } from '../base/group-by.ts';
import type { JournalRecord } from '../ledger/journal-record.ts';
import { findRecords } from './find-records.ts';
import { ledgerKeys, withReader } from './open-books.ts';
import { settingsOf, withSettings } from './settings.ts';

export function traceCommand(): Command {
  const command = new Command('trace')
    .description('The whole story of a physical scan: every transmission of it, and what was decided.')
    .argument('<name>', 'claim key, scan id, entry id, or facility/line')
    .option('--json', 'journal records as JSON, one a line');
  return withSettings(command, ledgerKeys).action(async (name: string) => {
    const records = await withReader(settingsOf(command), (reader) => findRecords(reader, name));
    if (command.opts<{ json?: true }>().json) for (const record of records) console.log(JSON.stringify(record));
    else console.log(story(records));
  });
}

function story(records: readonly JournalRecord[]): string {
  const picks = groupBy(records, (record) => record.claim_key ?? 'rejected');
  return [...picks].map(([key, transmissions]) => `${heading(key, transmissions)}\n${tableOf(transmissions)}`).join('\n\n');
}

function heading(key: string, records: readonly JournalRecord[]): string {
  const committed = records.find(({ outcome }) => outcome === 'committed');
  if (committed?.scan === undefined || committed.entry === undefined) return `Rejected, ${records.length} transmission(s)`;
  const { scan, entry } = committed;
  const what = [
    scan.scan_type,
    scan.quantity,
    scan.unit,
    scan.ndc ?? scan.gtin,
    lot(scan.lot_number),
    serial(scan.serial_number),
  ];
  return [
    `${key}`,
    `${what.filter((part) => part !== undefined).join(' ')} by ${scan.scanner_id}`,
    `entry ${entry.id}, line ${entry.line} of ${entry.facility_uuid}; ${records.length} transmission(s)`,
  ].join('\n');
}

function lot(value: string | undefined): string | undefined {
  return value && `lot ${value}`;
}

function serial(value: string | undefined): string | undefined {
  return value && `serial ${value}`;
}

function tableOf(records: readonly JournalRecord[]): string {
  const table = new Table({
    head: ['seq', 'outcome', 'occurred (UTC)', 'received (UTC)', 'gap ms', 'scan id', 'why', 'flags'],
    style: { head: [], border: [] },
  });
  for (const record of records) {
    const { scan, rejection } = record;
    table.push([
      String(record.seq),
      record.outcome,
      instant(scan?.occurred_at),
      instant(scan?.received_at ?? rejection?.received_at),
      String(record.gap_ms ?? ''),
      scan?.scan_uuid ?? rejection?.scan_uuid ?? '',
      why(record),
      record.flags.join(' '),
    ]);
  }
  return table.toString();
}

function why({ reason, differs, rejection, arbiter }: JournalRecord): string {
  if (rejection !== undefined) return rejection.code;
  if (differs !== undefined) return `differs: ${differs.join(', ')}`;
  return [reason?.replaceAll('_', ' '), arbiter && `by ${arbiter}`].filter((part) => part !== undefined).join(', ');
}

export function instant(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString();
}
