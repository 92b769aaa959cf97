/** R2 in the book: two lines of one content and scanner are at least W apart, where no trusted id tells them apart. */
import type { Findings } from './judgement.ts';
import { type KnownHistory, type KnownLine, namedLine } from './known-history.ts';

export function checkWindows(history: KnownHistory, windowMsOfRun: number, findings: Findings): void {
  for (const lines of linesByContent(history)) {
    if (lines.length < 2) continue;
    lines.sort((a, b) => a.line.occurred_at - b.line.occurred_at);
    let before: KnownLine | undefined;
    for (const known of lines) {
      const windowMs = known.scan?.truth.window_ms ?? windowMsOfRun;
      const gapMs = known.line.occurred_at - (before?.line.occurred_at ?? Number.NEGATIVE_INFINITY);
      if (before !== undefined && gapMs < windowMs) {
        const message = `${namedLine(known.line)} is ${gapMs} ms from the entry ${before.line.entry_id} of its content, less than ${windowMs} ms.`;
        findings.add('window_violated', message, known.scan?.truth.scan);
      }
      before = known;
    }
  }
}

function linesByContent(history: KnownHistory): Iterable<KnownLine[]> {
  const groups = new Map<string, KnownLine[]>();
  for (const known of history.lines.values()) {
    if (known.scan === undefined) continue;
    const { facility_uuid, scanner_id, content, distinct_ids, scan_uuids } = known.scan.truth;
    if (distinct_ids === 'trust' && scan_uuids.length > 0) continue;
    const key = JSON.stringify([facility_uuid, scanner_id, content]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [known]);
    else group.push(known);
  }
  return groups.values();
}
