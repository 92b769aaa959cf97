/**
 * The claims of a batch, before and after the ledger (R4).
 *
 * In: transmissions. Out: the same, with the entry that a claim says each duplicates; and, when the ledger has decided, claims
 * settled or moved on. A store that cannot answer changes nothing but the order of things: the ledger decides alone.
 */
import type { IdSource } from '../base/ids.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../claim/claim-store.ts';
import { claimKeyPrefix } from '../identity/identify.ts';
import { samePhysicalScan } from '../identity/window.ts';
import type { Decision, ScanTransmission, Transmission } from '../ledger/ledger.ts';

/** A claim that was asked for, and what was answered. */
export interface ClaimAttempt {
  readonly request: ClaimRequest;
  readonly reply: ClaimReply;
}

export class Claiming {
  readonly #store: ClaimStore;
  readonly #ids: IdSource;
  readonly #degraded: (reason: string) => void;

  /** @param degraded told when the store could not decide or could not be written. */
  constructor(store: ClaimStore, ids: IdSource, degraded: (reason: string) => void) {
    this.#store = store;
    this.#ids = ids;
    this.#degraded = degraded;
  }

  claimAll(batch: readonly Transmission[]): Promise<(ClaimAttempt | undefined)[]> {
    return Promise.all(batch.map(async (transmission) => (transmission.kind === 'scan' ? this.#claim(transmission) : undefined)));
  }

  /** Tells the store what the ledger has decided. Nobody waits for it: a claim that was not settled costs a look-up later. */
  async settleAll(attempts: readonly (ClaimAttempt | undefined)[], decisions: readonly Decision[]): Promise<void> {
    await Promise.all(
      decisions.map(async (decision, index) => {
        const attempt = attempts[index];
        if (attempt === undefined || decision.outcome !== 'committed') return;
        const settled = await this.#settle(attempt, decision.entry.id).catch(() => 'unavailable');
        if (settled === 'unavailable') this.#degraded('a claim could not be settled');
      }),
    );
  }

  async #claim({ scan, identity, scannerClass }: ScanTransmission): Promise<ClaimAttempt> {
    const request: ClaimRequest = {
      key: this.#store.keyedBy === 'pick' ? identity.claimKey : claimKeyPrefix + identity.content,
      occurredAt: scan.occurredAt,
      token: this.#ids.uuid(),
      ttlMs: scannerClass.windowMs + scannerClass.guardMs,
    };
    const reply = await this.#store.claim(request).catch(asUnavailable);
    if (reply.kind === 'unavailable') this.#degraded(reply.reason);
    return { request, reply };
  }

  async #settle({ request, reply }: ClaimAttempt, entryId: string): Promise<'settled' | 'stale' | 'unavailable'> {
    if (reply.kind === 'unavailable' || reply.kind === 'held') return 'stale';
    if (reply.kind === 'pending' || reply.kind === 'committed') {
      const moved = await this.#store.moveOn(request, reply.token);
      if (moved !== 'moved') return moved;
    }
    return this.#store.settle(request.key, request.token, entryId);
  }
}

/** A store that throws is a store that cannot answer. */
export function asUnavailable(error: unknown): ClaimReply & { readonly kind: 'unavailable' } {
  return { kind: 'unavailable', reason: error instanceof Error ? error.message : String(error) };
}

/** The transmission with the entry that its claim says it duplicates, where the claim says so. */
export function withExpectation(transmission: Transmission, attempt: ClaimAttempt | undefined): Transmission {
  if (transmission.kind !== 'scan' || attempt?.reply.kind !== 'committed') return transmission;
  const { windowMs } = transmission.scannerClass;
  const { occurredAt, entryId } = attempt.reply;
  const duplicate = samePhysicalScan({ occurredAt, windowMs }, { occurredAt: transmission.scan.occurredAt, windowMs });
  return duplicate ? { ...transmission, expectedEntryId: entryId } : transmission;
}
