import { Command } from 'commander';
import { windowEndsAt } from '../identity/window.ts';
import type { JournalRecord } from '../ledger/journal-record.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { LedgerLine } from '../ledger/ledger-line.ts';
import { flags as flagMeanings } from '../scan/scan.ts';
import { findRecords } from './find-records.ts';
import { ledgerKeys, withReader } from './open-books.ts';
import { settingsOf, withSettings } from './settings.ts';
import { instant } from './trace.ts';

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('Why each transmission was decided as it was: by what, how many ms apart, and until when the window lasts.')
    .argument('<name>', 'claim key, scan id, entry id, or facility/line');
  return withSettings(command, ledgerKeys).action(async (name: string) => {
    const sentences = await withReader(settingsOf(command), async (reader) => {
      const records = await findRecords(reader, name);
      const own = records.filter((record) => (record.scan?.scan_uuid ?? record.rejection?.scan_uuid) === name);
      return Promise.all((own.length > 0 ? own : records).map((record) => explanation(reader, record)));
    });
    console.log(sentences.join('\n\n'));
  });
}

async function explanation(reader: LedgerReader, record: JournalRecord): Promise<string> {
  const line = record.of && (await reader.line(record.of.id));
  const what = `Record ${record.seq} of ${record.facility_uuid}: ${record.outcome}.`;
  const flags = record.flags.map((flag) => `Flag ${flag}: ${flagMeanings[flag]}`);
  return [what, ...reasons(record, line), ...flags].join('\n  ');
}

function reasons(record: JournalRecord, line: LedgerLine | undefined): string[] {
  const { outcome, rejection, scan } = record;
  if (outcome === 'rejected')
    return [
      `${rejection?.message ?? ''} (${rejection?.code ?? ''})`,
      `What was received is kept in quarantine as ${rejection?.quarantine_id ?? ''}.`,
    ];
  if (outcome === 'committed') return [committed(record)];
  if (line === undefined) return ['The line it refers to is missing. Run "scangate verify".'];
  if (outcome === 'conflict')
    return [
      `Its scan id ${scan?.scan_uuid ?? ''} was used before for ${named(line)}, with other content: ${record.differs?.join(', ') ?? ''}.`,
    ];
  return suppressed(record, line);
}

function committed({ scan, window_ms = 0, entry }: JournalRecord): string {
  const at = scan?.occurred_at ?? 0;
  const until = instant(windowEndsAt({ occurredAt: at, windowMs: window_ms }));
  return `It is line ${entry?.line ?? 0}, and stands for the same content from ${instant(at)} until ${until} (${window_ms} ms, the end not included).`;
}

function suppressed({ reason, gap_ms = 0, window_ms = 0, scan, arbiter }: JournalRecord, line: LedgerLine): string[] {
  const until = instant(windowEndsAt({ occurredAt: line.occurred_at, windowMs: line.window_ms }));
  const rule =
    reason === 'same_scan_id'
      ? `Its scan id ${scan?.scan_uuid ?? ''} had been decided before: a retransmission, however late (rule R1).`
      : `It has the same content as ${named(line)}, less than ${window_ms} ms apart (rule R2).`;
  return [
    rule,
    `It duplicates ${named(line)}, and occurred ${gap_ms} ms ${(scan?.occurred_at ?? 0) < line.occurred_at ? 'before' : 'after'} it; decided by the ${arbiter ?? 'ledger'}.`,
    `The window of that line ended at ${until}: from then on the same content under a new scan id is a new scan.`,
  ];
}

function named(line: LedgerLine): string {
  return `line ${line.line} (entry ${line.entry_id}, ${instant(line.occurred_at)})`;
}
