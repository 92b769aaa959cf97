/** A judgement, as a person reads it: figures as a table, and each rule that was broken in a sentence. */
import Table from 'cli-table3';
import { type Judgement, type ViolationKind, violationKinds } from '../testing/checker/judgement.ts';

export function judgementText(judgement: Judgement): string {
  return [tableOf(judgement), ...sentences(judgement)].join('\n');
}

function tableOf(judgement: Judgement): string {
  const { run, counts, swallowed, found } = judgement;
  const swallowedScans = swallowed.withinWindow + swallowed.deviceClock + swallowed.receiptTime + swallowed.reusedId;
  const rows: [string, number | string][] = [
    ['system', run.system],
    ['seed', run.seed],
    ['physical scans', counts.scans],
    ['of them no scans', counts.unreadable],
    ['transmissions', counts.transmissions],
    ['answered', counts.answered],
    ...Object.entries(counts.answers).map(([outcome, count]): [string, number] => [`answered ${outcome}`, count]),
    ['lines', counts.lines],
    ['records', counts.records],
    ['faults', faultsText(counts.faults)],
    ['genuine scans taken for a retry', swallowedScans],
    ['within the window', swallowed.withinWindow],
    ['by the clock of the device', swallowed.deviceClock],
    ['by the time of receipt', swallowed.receiptTime],
    ['by an id used again', swallowed.reusedId],
    ['put up for review', swallowed.putUpForReview],
    ...Object.entries(violationKinds).map(([kind, name]): [string, number] => [name, found[kind as ViolationKind]]),
  ];
  const table = new Table({ style: { head: [], border: [] }, colAligns: ['left', 'right'] });
  table.push(...rows);
  return table.toString();
}

/** How many kinds are named: more would be wider than a screen. */
const namedFaultsMax = 5;

function faultsText(faults: Readonly<Record<string, number>>): string {
  const entries = Object.entries(faults);
  if (entries.length === 0) return 'none';
  if (entries.length <= namedFaultsMax) return entries.map(([fault, count]) => `${fault} ${count}`).join(', ');
  return `${entries.reduce((sum, [, count]) => sum + count, 0)} of ${entries.length} kinds`;
}

function sentences({ violations, found, isSound, run }: Judgement): string[] {
  if (isSound) return ['No rule was broken.'];
  const count = Object.values(found).reduce((sum, one) => sum + one, 0);
  const listed = violations.map(({ kind, message }) => `  ${kind}: ${message}`);
  const more = count > violations.length ? [`  … and ${count - violations.length} more`] : [];
  return [`${count} ${count === 1 ? 'violation' : 'violations'}:`, ...listed, ...more, `Repeat it with: ${run.command}`];
}
