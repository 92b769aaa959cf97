/**
 * The order of things: arrival → transmission → claim → ledger → settle → verdict. With a pre-filter, what is certainly new is
 * claimed beside the ledger instead of before it.
 *
 * In: arrivals of any transport. Out: one verdict each, in order. What can go wrong: the ledger cannot write, or has no room left
 * in its queue; then the verdict is `unavailable` and nothing was acknowledged. It never answers `committed`, `suppressed`,
 * `conflict` or `rejected` before the transaction that says so is on disk (R5), and never decides anything itself (R3).
 */

import type { Timers } from '../base/clock.ts';
import { within } from '../base/deadline.ts';
import { errorCodes, ScanGateError, type UnavailableCode } from '../base/errors.ts';
import { groupBy } from '../base/group-by.ts';
import { type IdSource, randomIds } from '../base/ids.ts';
import { messageOf } from '../base/message-of.ts';
import type { ClaimStore } from '../claim/claim-store.ts';
import type { Checkpoint, Decision, Ledger, Transmission } from '../ledger/ledger.ts';
import { type Admission, type Arrival, admit } from './arrival.ts';
import { Batcher, type BatchLimits } from './batcher.ts';
import { Claiming, type ClaimingObserver } from './claiming.ts';
import type { PreFilter, PreFilterAnswer } from './pre-filter.ts';
import type { Unavailable, Verdict } from './verdict.ts';

export interface GateLimits extends BatchLimits {
  /** How long a caller waits for the ledger before it is told to try again, ms. The scan may be committed all the same. */
  readonly answerMsMax: number;
}

export const defaultGateLimits: GateLimits = {
  batchItemsMax: 500,
  queueItemsMax: 10_000,
  queueBytesMax: 64 * 1024 * 1024,
  answerMsMax: 15_000,
};

export interface GateObserver {
  /** One verdict was reached; called before the caller hears of it. */
  decided?(verdict: Verdict): void;
  /** One transaction of the ledger, from its call to its answer. */
  appended?(items: number, durationMs: number, error: ScanGateError | undefined): void;
  /** Claims could not help; the ledger decided alone. */
  degraded?(reason: string): void;
  /** The pre-filter was asked for one scan. */
  preFiltered?(answer: PreFilterAnswer): void;
}

export interface GateOptions extends Admission {
  readonly ledger: Pick<Ledger, 'append' | 'locksFacilities'>;
  /** Without claims the ledger decides alone. */
  readonly claims?: ClaimStore;
  /** With one, a scan that is certainly new here does not wait for its claim. It has no meaning without claims. */
  readonly preFilter?: Pick<PreFilter, 'ask'>;
  readonly limits?: Partial<GateLimits>;
  readonly observer?: GateObserver;
  readonly ids?: IdSource;
  readonly timers?: Timers;
}

/** Roughly what a scan holds in memory while it waits. */
const scanBytes = 2_048;

export class Gate {
  readonly #ledger: Pick<Ledger, 'append' | 'locksFacilities'>;
  readonly #claiming: Claiming | undefined;
  readonly #admission: Admission;
  readonly #limits: GateLimits;
  readonly #observer: GateObserver;
  readonly #timers: Timers | undefined;
  readonly #batcher: Batcher<Transmission, Verdict>;
  #closing = false;
  /** What was submitted together and is on its way. */
  readonly #together = new Set<Promise<unknown>>();

  constructor({ ledger, claims, preFilter, limits, observer = {}, ids = randomIds, timers, ...admission }: GateOptions) {
    this.#ledger = ledger;
    this.#admission = admission;
    this.#limits = { ...defaultGateLimits, ...limits };
    this.#observer = observer;
    this.#timers = timers;
    this.#claiming = claims && new Claiming(claims, ids, claimingObserver(observer), preFilter);
    this.#batcher = new Batcher((batch) => this.#decide(batch), this.#limits);
  }

  /** Transmissions that wait for the ledger or are on their way. */
  get queueDepth(): number {
    return this.#batcher.depth;
  }

  /** Takes one arrival; decided together with what else arrives meanwhile. Never throws. */
  async submit(arrival: Arrival): Promise<Verdict> {
    const transmission = admit(arrival, this.#admission);
    if (this.#closing) return this.#unavailable(transmission, 'SG_SHUTTING_DOWN', 'The server is stopping.');
    const bytes = transmission.kind === 'scan' ? scanBytes : scanBytes + transmission.raw.bytes.byteLength;
    let isWanted = true;
    const verdict = this.#batcher.add(transmission, bytes, () => isWanted);
    if (verdict === undefined) return this.#unavailable(transmission, 'SG_QUEUE_FULL', 'Too many scans wait for the ledger.');
    const slow = unavailable('SG_LEDGER_SLOW', `The ledger has not answered within ${this.#limits.answerMsMax} ms.`);
    const late: Verdict = { transmission, decision: slow };
    const answer = await within(this.#limits.answerMsMax, verdict, late, this.#timers);
    // It was answered that nothing is decided: what has not begun is not begun any more.
    isWanted = answer !== late;
    return answer;
  }

  /**
   * Decides arrivals as one transaction, with a checkpoint in it: for a reader of files, which has to know how far it came.
   *
   * @throws ScanGateError of the kind `unavailable`: nothing of it was written, and the checkpoint neither.
   */
  async submitTogether(arrivals: readonly Arrival[], checkpoint: Checkpoint): Promise<readonly Verdict[]> {
    if (this.#closing) throw new ScanGateError('SG_SHUTTING_DOWN', 'The server is stopping.');
    const batch = arrivals.map((arrival) => admit(arrival, this.#admission));
    const appending = this.#append(batch, checkpoint);
    this.#together.add(appending);
    try {
      const verdicts = pair(batch, await appending);
      for (const verdict of verdicts) this.#observer.decided?.(verdict);
      return verdicts;
    } finally {
      this.#together.delete(appending);
    }
  }

  /** Takes nothing more, and resolves when everything that was taken is decided. */
  async drain(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled([this.#batcher.idle(), ...this.#together]);
  }

  async #decide(batch: readonly Transmission[]): Promise<readonly Verdict[]> {
    const verdicts = await this.#verdicts(batch);
    for (const verdict of verdicts) this.#observer.decided?.(verdict);
    return verdicts;
  }

  async #verdicts(batch: readonly Transmission[]): Promise<readonly Verdict[]> {
    try {
      return pair(batch, await this.#append(batch));
    } catch (error) {
      const { code, message } = asUnavailable(error);
      // A row that the ledger's rules refuse must not take its neighbours with it: each is tried alone.
      if (code === 'SG_LEDGER_REFERENCE' && batch.length > 1) {
        const alone: (readonly Verdict[])[] = [];
        for (const transmission of batch) alone.push(await this.#verdicts([transmission]));
        return alone.flat();
      }
      const facilities = code === 'SG_LEDGER_BUSY' && this.#ledger.locksFacilities === true ? byFacility(batch) : [batch];
      if (facilities.length > 1) return inOrderOf(batch, await Promise.all(facilities.map((own) => this.#verdicts(own))));
      return batch.map((transmission) => ({ transmission, decision: unavailable(code, message) }));
    }
  }

  async #append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]> {
    const startedAt = performance.now();
    try {
      const claimed = await this.#claiming?.claimFirst(batch);
      const appending = this.#ledger.append(claimed?.expecting ?? batch, checkpoint);
      if (claimed !== undefined) this.#claiming?.claimBeside(claimed);
      const decisions = await appending;
      if (claimed !== undefined) void this.#claiming?.settleAll(claimed, decisions);
      this.#observer.appended?.(batch.length, performance.now() - startedAt, undefined);
      return decisions;
    } catch (error) {
      const coded = asUnavailable(error);
      this.#observer.appended?.(batch.length, performance.now() - startedAt, coded);
      throw coded;
    }
  }

  #unavailable(transmission: Transmission, code: UnavailableCode, message: string): Verdict {
    const verdict: Verdict = { transmission, decision: unavailable(code, message) };
    this.#observer.decided?.(verdict);
    return verdict;
  }
}

function claimingObserver(observer: GateObserver): ClaimingObserver {
  return {
    degraded: (reason) => observer.degraded?.(reason),
    preFiltered: (answer) => observer.preFiltered?.(answer),
  };
}

/** The transmissions of each facility, in their order; those of which none can be read are together. */
function byFacility(batch: readonly Transmission[]): Transmission[][] {
  const facilityOf = (one: Transmission) => (one.kind === 'scan' ? one.scan.facilityUuid : one.origin.facilityUuid);
  return [...groupBy(batch, facilityOf).values()];
}

function inOrderOf(batch: readonly Transmission[], groups: readonly (readonly Verdict[])[]): Verdict[] {
  const verdicts = new Map(groups.flat().map((verdict) => [verdict.transmission, verdict]));
  return batch.map((transmission) => verdicts.get(transmission) as Verdict);
}

function pair(batch: readonly Transmission[], decisions: readonly Decision[]): Verdict[] {
  if (decisions.length !== batch.length) throw new TypeError(`${batch.length} transmissions, ${decisions.length} decisions.`);
  return decisions.map((decision, index) => ({ transmission: batch[index] as Transmission, decision }));
}

function unavailable(code: UnavailableCode, message: string): Unavailable {
  return { outcome: 'unavailable', code, message };
}

function asUnavailable(error: unknown): ScanGateError & { code: UnavailableCode } {
  if (error instanceof ScanGateError && errorCodes[error.code].kind === 'unavailable')
    return error as ScanGateError & { code: UnavailableCode };
  const message = messageOf(error);
  return new ScanGateError('SG_LEDGER_FAILED', message, { cause: error }) as ScanGateError & { code: UnavailableCode };
}
