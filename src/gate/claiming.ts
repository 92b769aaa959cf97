/**
 * The claims of a batch, before, beside and after the ledger (R4).
 *
 * In: transmissions. Out: the same, with the entry that a claim says each duplicates; and, when the ledger has decided, claims
 * settled or moved on. A store that cannot answer changes nothing but the order of things: the ledger decides alone.
 *
 * With a pre-filter, a scan that is certainly new here does not wait for its claim: it is written beside the ledger, and its
 * reply serves settling only. Without one every scan asks first.
 */
import type { IdSource } from '../base/ids.ts';
import { asUnavailable } from '../claim/claim-attempts.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../claim/claim-store.ts';
import { claimedKey } from '../identity/identify.ts';
import { samePhysicalScan } from '../identity/window.ts';
import type { Decision, ScanTransmission, Transmission } from '../ledger/ledger.ts';
import type { PreFilter, PreFilterAnswer } from './pre-filter.ts';

/** A claim of one scan of a batch. */
interface ClaimAttempt {
  readonly request: ClaimRequest;
  readonly isWaitedFor: boolean;
  /** Never rejects. Nothing while it was not asked for. */
  reply?: Promise<ClaimReply>;
}

/** A batch whose claims were asked for as far as anything waits for them. */
export interface ClaimedBatch {
  /** The batch as the ledger is given it. */
  readonly expecting: readonly Transmission[];
  readonly attempts: readonly (ClaimAttempt | undefined)[];
}

export interface ClaimingObserver {
  /** The store could not decide or could not be written. */
  degraded(reason: string): void;
  preFiltered(answer: PreFilterAnswer): void;
}

/** How many claims may be on their way beside the ledger. A store that never answers must not fill the memory. */
export const claimsBesideMax = 10_000;

export class Claiming {
  readonly #store: ClaimStore;
  readonly #ids: IdSource;
  readonly #observer: ClaimingObserver;
  readonly #preFilter: Pick<PreFilter, 'ask'> | undefined;
  #beside = 0;

  constructor(store: ClaimStore, ids: IdSource, observer: ClaimingObserver, preFilter?: Pick<PreFilter, 'ask'>) {
    this.#store = store;
    this.#ids = ids;
    this.#observer = observer;
    this.#preFilter = preFilter;
  }

  /** Asks for the claims of all that may have been seen, and waits for them. */
  async claimFirst(batch: readonly Transmission[]): Promise<ClaimedBatch> {
    const attempts = batch.map((transmission) => (transmission.kind === 'scan' ? this.#attempt(transmission) : undefined));
    const waitedFor = new Set(attempts.filter((attempt) => attempt?.isWaitedFor).map((attempt) => attempt?.request.key));
    // A new scan that has its duplicate in the same batch keeps its turn: else the duplicate would hold its claim.
    for (const attempt of attempts) if (attempt && waitedFor.has(attempt.request.key)) attempt.reply = this.#ask(attempt.request);
    const replies = await Promise.all(attempts.map(async (attempt) => (attempt?.isWaitedFor ? attempt.reply : undefined)));
    return { attempts, expecting: batch.map((transmission, index) => withClaim(transmission, replies[index])) };
  }

  /** Asks for the other claims, for which nobody waits. Called when the ledger has the batch. Never throws. */
  claimBeside({ attempts }: ClaimedBatch): void {
    for (const attempt of attempts) {
      if (attempt === undefined || attempt.reply !== undefined) continue;
      if (this.#beside < claimsBesideMax) attempt.reply = this.#askBeside(attempt.request);
      else this.#observer.degraded('too many claims wait for their answers');
    }
  }

  /**
   * Tells the store what the ledger has decided, as soon as each reply is known. Nobody waits for it: a claim that was not settled
   * costs a look-up later.
   */
  async settleAll({ attempts }: ClaimedBatch, decisions: readonly Decision[]): Promise<void> {
    await Promise.all(
      decisions.map(async (decision, index) => {
        const attempt = attempts[index];
        if (attempt?.reply === undefined || decision.outcome !== 'committed') return;
        const reply = await attempt.reply;
        const settled = await this.#settle(attempt.request, reply, decision.entry.id).catch(() => 'unavailable');
        if (settled === 'unavailable') this.#observer.degraded('a claim could not be settled');
      }),
    );
  }

  #attempt({ scan, identity, scannerClass }: ScanTransmission): ClaimAttempt {
    const answer = this.#preFilter?.ask(identity.content);
    if (answer !== undefined) this.#observer.preFiltered(answer);
    const request: ClaimRequest = {
      key: claimedKey(identity, this.#store.keyedBy),
      occurredAt: scan.occurredAt,
      token: this.#ids.uuid(),
      ttlMs: scannerClass.windowMs + scannerClass.guardMs,
    };
    return { request, isWaitedFor: answer !== 'new' };
  }

  async #askBeside(request: ClaimRequest): Promise<ClaimReply> {
    this.#beside += 1;
    try {
      return await this.#ask(request);
    } finally {
      this.#beside -= 1;
    }
  }

  async #ask(request: ClaimRequest): Promise<ClaimReply> {
    const reply = await this.#claim(request);
    if (reply.kind === 'unavailable') this.#observer.degraded(reply.reason);
    return reply;
  }

  async #claim(request: ClaimRequest): Promise<ClaimReply> {
    try {
      return await this.#store.claim(request);
    } catch (error) {
      return asUnavailable(error);
    }
  }

  async #settle(request: ClaimRequest, reply: ClaimReply, entryId: string): Promise<'settled' | 'stale' | 'unavailable'> {
    if (reply.kind === 'unavailable' || reply.kind === 'held') return 'stale';
    if (reply.kind === 'pending' || reply.kind === 'committed') {
      const moved = await this.#store.moveOn(request, reply.token);
      if (moved !== 'moved') return moved;
    }
    return this.#store.settle(request.key, request.token, entryId);
  }
}

/** The transmission with what its claim says: the entry that it duplicates, or who had the claim. */
function withClaim(transmission: Transmission, reply: ClaimReply | undefined): Transmission {
  if (transmission.kind !== 'scan' || reply === undefined) return transmission;
  if (reply.kind === 'first' || reply.kind === 'own') {
    const { replicas, onDisk } = reply;
    return {
      ...transmission,
      ...(replicas !== undefined && { claimReplicas: replicas }),
      ...(onDisk !== undefined && { claimOnDisk: onDisk }),
    };
  }
  if (reply.kind !== 'committed') return transmission;
  const { windowMs } = transmission.scannerClass;
  const { occurredAt, entryId } = reply;
  const duplicate = samePhysicalScan({ occurredAt, windowMs }, { occurredAt: transmission.scan.occurredAt, windowMs });
  return duplicate ? { ...transmission, expectedEntryId: entryId } : transmission;
}
