/**
 * What was answered is written, and what is sent after that is written later: an answer that runs ahead of the journal shows where a
 * transmission that was sent after it stands before it. By the order of the history, so that no clock has a part in it.
 */
import { groupBy } from '../../base/group-by.ts';
import type { Findings } from './judgement.ts';
import type { KnownHistory, KnownTransmission } from './known-history.ts';

interface Written {
  readonly facility: string;
  readonly seq: number;
  readonly of: KnownTransmission;
}

export function checkOrderOfAnswers(history: KnownHistory, findings: Findings): void {
  const written = [...history.transmissions.values()].flatMap((of) =>
    of.records.map(({ facility, seq }): Written => ({ facility, seq, of })),
  );
  for (const records of groupBy(written, ({ facility }) => facility).values()) {
    records.sort((a, b) => a.seq - b.seq);
    let last: Written | undefined;
    for (const record of records) {
      const { answer, answeredIndex, sent, scan } = record.of;
      if (answer !== undefined && answer.outcome !== 'unavailable' && last !== undefined && answeredIndex < last.of.sentIndex) {
        const message = `${sent.transmission} was answered before ${last.of.sent.transmission} was sent, and its record ${record.seq} follows record ${last.seq} of that.`;
        findings.add('false_acknowledgement', message, scan.truth.scan);
      }
      if (last === undefined || record.of.sentIndex > last.of.sentIndex) last = record;
    }
  }
}
