/**
 * The boolean recipe, for workers that claim and then write by themselves.
 *
 * In: a scan. Out: `true` for exactly one of its transmissions, `false` for the others, as long as the claim is kept (W + guard) and
 * the store does not forget it. What can go wrong: the store cannot say; then it throws, and never guesses. It does not hear of the
 * commit: whoever was told `true` and crashes before its commit leaves a scan that all others are told `false` of. `createGuard`
 * closes that.
 */
import { type Clock, systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { type IdSource, randomIds } from '../base/ids.ts';
import { claimTwice } from '../claim/claim-attempts.ts';
import type { ClaimRequest, ClaimStore } from '../claim/claim-store.ts';
import { claimedKey, identify } from '../identity/identify.ts';
import { defaultScannerClass } from '../identity/scanner-class.ts';
import { samePhysicalScan } from '../identity/window.ts';
import type { Scan } from '../scan/scan.ts';
import type { ScannerPolicy } from './arrival.ts';
import { demandClass } from './library-settings.ts';

export interface ClaimOnceOptions {
  readonly claims: ClaimStore;
  /** The window of each scanner; 3 s for all when left out. */
  readonly policy?: ScannerPolicy;
  readonly clock?: Clock;
  readonly ids?: IdSource;
}

/** An attempt that ended without an answer, and may have been applied all the same. */
interface OpenAttempt {
  readonly occurredAt: number;
  readonly token: string;
  readonly forgottenAt: number;
}

const roundsMax = 4;
const openAttemptsMax = 10_000;

export class ClaimOnce {
  readonly #claims: ClaimStore;
  readonly #policy: ScannerPolicy;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #open = new Map<string, OpenAttempt>();

  constructor({ claims, policy = () => defaultScannerClass, clock = systemClock, ids = randomIds }: ClaimOnceOptions) {
    this.#claims = claims;
    this.#policy = policy;
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Whether this transmission is the one that may be committed.
   *
   * @throws ScanGateError `SG_CLAIM_FAILED` or `SG_CLAIM_OVERTAKEN`, both `retryable`, when it cannot be known: ask again, and ask
   * here, because this object knows the claim again if it was made and only its reply was lost. `SG_CONFIG_INVALID` when the window
   * of the scanner makes no sense.
   */
  async claim(scan: Scan): Promise<boolean> {
    const scannerClass = this.#policy(scan.scannerId, scan.facilityUuid);
    demandClass(scannerClass);
    const { windowMs, guardMs } = scannerClass;
    const key = claimedKey(identify(scan, scannerClass), this.#claims.keyedBy);
    const token = this.#openToken(key, scan.occurredAt, windowMs) ?? this.#ids.uuid();
    return this.#elect({ key, occurredAt: scan.occurredAt, token, ttlMs: windowMs + guardMs }, windowMs);
  }

  async #elect(request: ClaimRequest, windowMs: number): Promise<boolean> {
    for (let round = 0; round < roundsMax; round += 1) {
      const reply = await claimTwice(this.#claims, request);
      if (reply.kind === 'first' || reply.kind === 'own') return true;
      if (reply.kind === 'held') return false;
      if (reply.kind === 'unavailable') return this.#unknown(request, reply.reason);
      const { occurredAt, token } = reply;
      if (samePhysicalScan({ occurredAt, windowMs }, { occurredAt: request.occurredAt, windowMs })) return false;
      if (occurredAt > request.occurredAt)
        throw new ScanGateError('SG_CLAIM_OVERTAKEN', 'A later scan of the same content holds the claim by now.');
      const moved = await this.#claims.moveOn(request, token).catch(() => 'unavailable' as const);
      if (moved === 'moved') return true;
    }
    return this.#unknown(request, 'Others were faster each time.');
  }

  #unknown({ key, occurredAt, token, ttlMs }: ClaimRequest, reason: string): never {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= openAttemptsMax) this.#open.delete(oldest);
    this.#open.set(key, { occurredAt, token, forgottenAt: this.#clock.nowMs() + ttlMs });
    throw new ScanGateError('SG_CLAIM_FAILED', reason);
  }

  /** The token of an attempt for this physical scan that nobody heard of. Given out once, so that two cannot both show it. */
  #openToken(key: string, occurredAt: number, windowMs: number): string | undefined {
    const open = this.#open.get(key);
    if (open === undefined) return undefined;
    if (open.forgottenAt <= this.#clock.nowMs()) this.#open.delete(key);
    else if (samePhysicalScan({ occurredAt: open.occurredAt, windowMs }, { occurredAt, windowMs })) {
      this.#open.delete(key);
      return open.token;
    }
    return undefined;
  }
}
