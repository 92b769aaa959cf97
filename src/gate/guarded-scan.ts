import { claimKeyPrefix, identify } from '../identity/identify.ts';
import type { ScannerClass } from '../identity/scanner-class.ts';
import { gapMs, samePhysicalScan } from '../identity/window.ts';
import type { Scan } from '../scan/scan.ts';
import type { GuardAnswer, LedgerEntry } from './guard-contract.ts';

/** One scan, and its names. */
export class GuardedScan {
  readonly scan: Scan;
  readonly contentKey: string;
  readonly ownPick: string;
  readonly #scannerClass: ScannerClass;

  constructor(scan: Scan, scannerClass: ScannerClass) {
    const { content, claimKey } = identify(scan, scannerClass);
    this.scan = scan;
    this.contentKey = claimKeyPrefix + content;
    this.ownPick = claimKey;
    this.#scannerClass = scannerClass;
  }

  /** The name of the pick that a scan of this content at that time began. */
  pickAt(occurredAt: number): string {
    return occurredAt === this.scan.occurredAt
      ? this.ownPick
      : identify({ ...this.scan, occurredAt }, this.#scannerClass).claimKey;
  }

  /**
   * The pick that such a scan began, and those before and after it and this scan: only there can the ledger hold one of these two. They
   * differ where the lease of another scan was taken over.
   */
  picksAround(occurredAt: number): readonly [own: string, ...others: string[]] {
    const { windowMs } = this.#scannerClass;
    const own = this.pickAt(occurredAt);
    const times = [...new Set([occurredAt, this.scan.occurredAt])].flatMap((at) => [at, at - windowMs, at + windowMs]);
    const others = new Set(times.map((at) => this.pickAt(at)));
    others.delete(own);
    return [own, ...others];
  }

  /** Whether two instants are of one physical scan of this content. */
  areOne(a: number, b: number): boolean {
    const { windowMs } = this.#scannerClass;
    return samePhysicalScan({ occurredAt: a, windowMs }, { occurredAt: b, windowMs });
  }

  suppressed({ occurredAt, reference: of }: LedgerEntry, arbiter: 'claim' | 'ledger'): GuardAnswer {
    const { windowMs } = this.#scannerClass;
    const gap = gapMs({ occurredAt, windowMs }, { occurredAt: this.scan.occurredAt, windowMs });
    return { outcome: 'suppressed', of, pick: this.pickAt(occurredAt), occurredAt, gapMs: gap, windowMs, arbiter };
  }
}
