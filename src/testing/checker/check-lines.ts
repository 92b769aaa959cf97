/** Each line against what was really scanned: where, which product, how much, and all else that the history knows of it. */
import type { LineEvent, ScanEvent } from '../history.ts';
import { differencesOfMoved } from '../moved.ts';
import type { Findings } from './judgement.ts';
import { type KnownHistory, namedLine } from './known-history.ts';

export function checkLines(history: KnownHistory, findings: Findings): void {
  for (const { line, scan } of history.lines.values()) {
    // A line for what is no scan, and one for nobody, are named as that.
    if (scan?.truth.readable !== true) continue;
    const differing = differencesOf(line, scan.truth);
    if (differing.length === 0) continue;
    findings.add(
      'wrong_line',
      `${namedLine(line)} is not what ${scan.truth.scan} was: ${differing.join(', ')}.`,
      scan.truth.scan,
    );
  }
}

function differencesOf(line: LineEvent, truth: ScanEvent): string[] {
  const pairs = [
    ['facility_uuid', line.facility_uuid, truth.facility_uuid],
    ['scanner_id', line.scanner_id ?? truth.scanner_id, truth.scanner_id],
    ['product', line.product, truth.product],
    ['delta', line.delta, truth.delta],
  ] as const;
  return [
    ...pairs
      .filter(([, said, expected]) => said !== expected)
      .map(([name, said, expected]) => `${name} is ${said}, not ${expected}`),
    ...(line.moved === undefined || truth.moved === undefined ? [] : differencesOfMoved(line.moved, truth.moved)),
  ];
}
