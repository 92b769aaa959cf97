/** Workers of a fleet as tests see them: a gate over claims and over books that all of them share. */
import type { ClaimReply, ClaimRequest, ClaimStore } from '../../src/claim/claim-store.ts';
import { Gate } from '../../src/gate/gate.ts';
import { defaultScannerClass } from '../../src/identity/scanner-class.ts';
import { type MemoryBooks, MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { noon, type WireChanges, wireScan } from '../../src/testing/wire-scans.ts';
import { until } from './server.ts';

export interface Answered {
  /** `committed 1`, `suppressed 1 same_content 400`, or the code of why there is no decision. */
  readonly words: string;
  /** How long it took, ms. */
  readonly tookMs: number;
}

export interface ClaimWorker {
  /** Why claims could not help, once for each time. */
  readonly degraded: readonly string[];
  /** What the store answered to claims, in order. */
  readonly replies: readonly ClaimReply[];
  submit(capturedMs: number, changes?: WireChanges): Promise<Answered>;
}

export function workerOver(claims: ClaimStore, books: MemoryBooks): ClaimWorker {
  const degraded: string[] = [];
  const replies: ClaimReply[] = [];
  const gate = new Gate({
    ledger: new MemoryLedger(books),
    claims: listening(claims, replies),
    policy: () => defaultScannerClass,
    observer: { degraded: (reason) => void degraded.push(reason) },
  });
  const submit = async (capturedMs: number, changes: WireChanges = {}): Promise<Answered> => {
    const value = wireScan(capturedMs, changes);
    const startedAt = performance.now();
    const raw = () => ({ bytes: Buffer.from(JSON.stringify(value)) });
    const { decision } = await gate.submit({ value, receivedAt: noon + capturedMs, transport: 'library', raw });
    const words = decision.outcome === 'unavailable' ? decision.code : inWords(decision);
    return { words, tookMs: performance.now() - startedAt };
  };
  return { degraded, replies, submit };
}

/** The same store, whose replies are noted. */
function listening(store: ClaimStore, replies: ClaimReply[]): ClaimStore {
  return {
    keyedBy: store.keyedBy,
    claim: async (asked) => {
      const reply = await store.claim(asked);
      replies.push(reply);
      return reply;
    },
    settle: (...args) => store.settle(...args),
    moveOn: (...args) => store.moveOn(...args),
    close: () => store.close(),
  };
}

let asked = 0;

/** A claim of a key that nobody else asks for, unless told so. */
export function request(changes: Partial<ClaimRequest> = {}): ClaimRequest {
  asked += 1;
  return { key: `scan:idem:test-${asked}`, occurredAt: noon, token: `token ${asked}`, ttlMs: 60_000, ...changes };
}

/** Resolves when the store answers again. */
export async function untilAnswering(store: ClaimStore, withinMs = 10_000): Promise<void> {
  await until(async () => (await store.claim(request())).kind !== 'unavailable' || undefined, withinMs);
}

/** What a store says of a claim as soon as it says anything: for an answer that stays the same however often it is asked for. */
export function answerOf(store: ClaimStore, asked: ClaimRequest): Promise<ClaimReply> {
  return until(async () => {
    const reply = await store.claim(asked);
    return reply.kind === 'unavailable' ? undefined : reply;
  });
}
