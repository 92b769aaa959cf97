import { expect, it } from 'vitest';
import type { ClaimReply, ClaimRequest } from '../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../src/claim/memory-claim-store.ts';
import { Gate } from '../../src/gate/gate.ts';
import { PreFilter, type PreFilterAnswer } from '../../src/gate/pre-filter.ts';
import { defaultScannerClass } from '../../src/identity/scanner-class.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { noon, type WireChanges } from '../../src/testing/wire-scans.ts';
import { type FixedClock, fixedClock, type SeededNumbers, seededNumbers, withSeedAsync } from '../support/scans.ts';
import { arriving, nextTurn, verdictInWords } from '../unit/gate/arriving.ts';

interface Sent {
  readonly capturedMs: number;
  readonly changes: WireChanges;
}

/** What comes together, and how long after what came before. */
interface Step {
  readonly afterMs: number;
  readonly sent: readonly Sent[];
}

type Asking = Pick<PreFilter, 'ask'>;

/** Claims whose replies come some turns late, or never in time; now and then there is none. */
class UnevenClaims extends MemoryClaimStore {
  readonly #numbers: SeededNumbers;

  constructor(clock: FixedClock, numbers: SeededNumbers) {
    super(clock);
    this.#numbers = numbers;
  }

  override async claim(request: ClaimRequest): Promise<ClaimReply> {
    const turns = this.#numbers.pick([0, 0, 0, 1, 2, 5]);
    const fails = this.#numbers.below(20) === 0;
    const reply = await super.claim(request);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    return fails ? { kind: 'unavailable', reason: 'late' } : reply;
  }
}

/** Few contents and few ids, so that they meet inside the window, at its edge and far behind it. */
function traffic(numbers: SeededNumbers): Step[] {
  let nowMs = 0;
  return Array.from({ length: 25 }, () => {
    const afterMs = numbers.pick([0, 1, 100, 1_500, 2_999, 3_000, 3_001, 7_000]);
    nowMs += afterMs;
    const sent = Array.from({ length: 1 + numbers.below(4) }, () => ({
      capturedMs: nowMs - numbers.pick([0, 0, 0, 50, 1_500, 6_000]),
      changes: {
        lot_number: numbers.pick(['A', 'B', 'C']),
        scanner_id: numbers.pick(['SCN-1', 'SCN-2']),
        ...(numbers.below(3) === 0 && { scan_uuid: numbers.pick(['1', '2', '3', '4', '5']) }),
      },
    }));
    return { afterMs, sent };
  });
}

/** All verdicts on the traffic, in words. */
async function decided(steps: readonly Step[], seed: number, filterOf: (clock: FixedClock) => Asking | undefined) {
  const clock = fixedClock(noon);
  const preFilter = filterOf(clock);
  const gate = new Gate({
    ledger: new MemoryLedger(),
    claims: new UnevenClaims(clock, seededNumbers(seed)),
    policy: () => defaultScannerClass,
    ...(preFilter !== undefined && { preFilter }),
  });
  const told: string[][] = [];
  for (const { afterMs, sent } of steps) {
    clock.advance(afterMs);
    const verdicts = sent.map(({ capturedMs, changes }) => gate.submit(arriving(capturedMs, changes)));
    told.push((await Promise.all(verdicts)).map(verdictInWords));
  }
  return told;
}

it('a pre-filter changes no decision, whatever it answers, in random traffic', async () => {
  await withSeedAsync(async (numbers) => {
    const answers: Record<PreFilterAnswer, number> = { new: 0, seen: 0 };
    const filters: readonly ((clock: FixedClock) => Asking)[] = [
      (clock) => {
        const filter = new PreFilter({ scansPerS: 100, rememberMs: 3_500 }, clock);
        return {
          ask(content) {
            const answer = filter.ask(content);
            answers[answer] += 1;
            return answer;
          },
        };
      },
      () => ({ ask: () => 'new' }),
      () => ({ ask: () => 'seen' }),
      () => ({ ask: () => numbers.pick(['new', 'seen']) }),
    ];
    const seen = new Set<string>();
    for (let run = 0; run < 80; run += 1) {
      const steps = traffic(numbers);
      const seed = numbers.below(2 ** 32);
      const expected = await decided(steps, seed, () => undefined);
      for (const filterOf of filters) expect(await decided(steps, numbers.below(2 ** 32), filterOf)).toEqual(expected);
      for (const words of expected.flat()) seen.add(words.split(' ')[0] ?? '');
    }
    expect([...seen].sort()).toEqual(['committed', 'conflict', 'suppressed']);
    expect(Math.min(answers.new, answers.seen)).toBeGreaterThan(300);
  });
});
