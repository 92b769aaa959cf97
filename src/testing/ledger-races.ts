import { deepEqual, equal } from 'node:assert/strict';
import type { Decision, Transmission } from '../ledger/ledger.ts';
import type { Promised } from './contract-case.ts';
import { allLines, allRecords, type LedgerPair } from './ledger-pair.ts';
import { scanAt } from './wire-scans.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Sends each batch through one of the two instances in turn, all at once; the decisions of all. */
async function race({ first, second }: LedgerPair, batches: readonly (readonly Transmission[])[]): Promise<Decision[]> {
  const racing = batches.map((batch, index) => (index % 2 === 0 ? first : second).append(batch));
  return (await Promise.all(racing)).flat();
}

function countOutcomes(decisions: readonly Decision[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of decisions) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The entry ids that decisions commit or name. */
function entriesNamed(decisions: readonly Decision[]): Set<string> {
  return new Set(
    decisions.flatMap((decision) => {
      if (decision.outcome === 'committed') return [decision.entry.id];
      return decision.outcome === 'rejected' ? [] : [decision.of.id];
    }),
  );
}

/** R3: the ledger arbitrates, whoever writes at the same moment. */
export const races: Promised<LedgerPair> = {
  async 'fifty transmissions of one scan at once are one line, and the others are suppressed by it'(pair) {
    const decisions = await race(
      pair,
      upTo(50).map(() => [scanAt(0, { scan_uuid: 'A' })]),
    );
    deepEqual(countOutcomes(decisions), { committed: 1, suppressed: 49 });
    const lines = await allLines(pair.first);
    deepEqual([...entriesNamed(decisions)], [lines[0]?.entry_id]);
    equal(lines.length, 1);
    deepEqual(
      (await allRecords(pair.second)).map(({ seq }) => seq),
      upTo(50),
    );
  },

  async 'twenty ids of one content at once, all within the window, are one line'(pair) {
    const decisions = await race(
      pair,
      upTo(20).map((index) => [scanAt(index * 100, { scan_uuid: `id ${index}` })]),
    );
    deepEqual(countOutcomes(decisions), { committed: 1, suppressed: 19 });
    equal(entriesNamed(decisions).size, 1);
    equal((await allLines(pair.second)).length, 1);
  },

  async 'two contents under one id at once are one line, and the other content is always a conflict'(pair) {
    const decisions = await race(
      pair,
      upTo(20).map((index) => [scanAt(0, { scan_uuid: 'A', quantity: index > 10 ? 2 : 1 })]),
    );
    deepEqual(countOutcomes(decisions), { committed: 1, suppressed: 9, conflict: 10 });
    equal((await allLines(pair.first)).length, 1);
  },

  async 'many picks through both instances at once are one line each, numbered without gaps'(pair) {
    const picks = upTo(40);
    const sends = upTo(4).flatMap((round) => picks.map((pick) => scanAt(pick + round, { lot_number: `L${pick}` })));
    const batches = upTo(54).map((batch) => sends.slice((batch - 1) * 3, batch * 3));
    const decisions = await race(pair, batches);
    deepEqual(countOutcomes(decisions), { committed: 40, suppressed: 120 });
    const lines = await allLines(pair.first);
    deepEqual(
      lines.map(({ line }) => line),
      upTo(40),
    );
    equal(new Set(lines.map(({ lot_number }) => lot_number)).size, 40);
    for (const line of lines) {
      const outcomes = (await pair.second.recordsOfPick(line.claim_key)).map(({ outcome }) => outcome).sort();
      deepEqual(outcomes, ['committed', 'suppressed', 'suppressed', 'suppressed']);
    }
  },
};
