import { expect, test } from 'vitest';
import { judgementText } from '../../../src/cli/judgement-text.ts';
import { checkHistory } from '../../../src/testing/checker/check-history.ts';
import type { HistoryEvent } from '../../../src/testing/history.ts';
import { soundHistory } from '../testing/checker/small-run.ts';

/** The rows of the table, each as its cells. */
function rowsOf(events: readonly HistoryEvent[]): string[][] {
  const text = judgementText(checkHistory(events));
  return [...text.matchAll(/^│ (.*?) +│ +(.*?) │$/gm)].map(([, name = '', figure = '']) => [name, figure]);
}

test('a sound history is shown with its figures, and that no rule was broken', async () => {
  const events = await soundHistory();
  const rows = rowsOf(events);
  expect(rows).toContainEqual(['physical scans', '6']);
  expect(rows).toContainEqual(['answered suppressed', '3']);
  expect(rows).toContainEqual(['faults', 'partition 1']);
  expect(rows).toContainEqual(['lost scans', '0']);
  expect(judgementText(checkHistory(events)).split('\n').at(-1)).toBe('No rule was broken.');
});

test('each rule that was broken is a sentence, and the run can be repeated', async () => {
  const events = (await soundHistory({ has_journal: false, command: 'npx scangate' })).filter(({ kind }) => kind !== 'line');
  const text = judgementText(checkHistory(events));
  expect(rowsOf(events)).toContainEqual(['lost scans', '5']);
  expect(text).toContain('13 violations:');
  expect(text).toContain('  lost_scan: s6 was answered committed, and has no line.');
  expect(text.split('\n').at(-1)).toBe('Repeat it with: npx scangate');
});
