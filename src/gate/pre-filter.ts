/**
 * The pre-filter: whether a content may have been here within the last W + guard.
 *
 * In: content identities and the gate's clock. Out: `new`, which is certain, or `seen`, which now and then is not true. It decides
 * the order of claim and ledger and nothing else, so being wrong either way costs time, never a scan: after a restart it has
 * seen nothing, when more arrives than it was made for everything looks seen, and when the clock jumps it forgets or keeps. No I/O.
 *
 * It is a Bloom filter in generations. What is asked goes into the newest; after a span it becomes the second, then the third,
 * and then it is emptied and is the newest again. Three of them with a span of half the time to remember keep everything for that
 * time at least, and nothing for longer than one and a half of it.
 */
import type { Clock } from '../base/clock.ts';

export interface PreFilterSize {
  /** Scans a second that it is made for. With more of them it is more often wrong, and holds no more memory. */
  readonly scansPerS: number;
  /** How long a content is remembered at least, ms of the gate's clock: the largest W + guard of all classes. */
  readonly rememberMs: number;
  /** How often a new content may be taken for seen, at that rate. */
  readonly falsePositives?: number;
}

export type PreFilterAnswer = 'new' | 'seen';

const generationCount = 3;
/** All generations together. */
const bytesMax = 64 * 1024 * 1024;
const wordBits = 32;

export class PreFilter {
  /** Memory that it holds, all its life. */
  readonly bytes: number;
  /** The newest first. */
  readonly #generations: Uint32Array[];
  readonly #spanMs: number;
  readonly #bits: number;
  readonly #probes: number;
  readonly #clock: Clock;
  /** When the newest generation began. */
  #startedAt: number;

  /** @throws RangeError when the size makes no sense, or needs more than 64 MiB. */
  constructor({ scansPerS, rememberMs, falsePositives = 0.01 }: PreFilterSize, clock: Clock) {
    const valid = scansPerS > 0 && rememberMs > 0 && falsePositives > 0 && falsePositives < 1;
    if (!valid) throw new RangeError('The size of a pre-filter makes no sense.');
    this.#spanMs = Math.ceil(rememberMs / (generationCount - 1));
    const { bits, probes } = bloomSize((scansPerS * this.#spanMs) / 1_000, falsePositives / generationCount);
    this.bytes = (bits / 8) * generationCount;
    if (!(this.bytes <= bytesMax)) {
      const mebibytes = Math.ceil(this.bytes / 1_048_576);
      throw new RangeError(`The pre-filter needs ${mebibytes} MiB for this rate and window, and may have 64.`);
    }
    this.#bits = bits;
    this.#probes = probes;
    this.#generations = Array.from({ length: generationCount }, () => new Uint32Array(bits / wordBits));
    this.#clock = clock;
    this.#startedAt = clock.nowMs();
  }

  /**
   * Whether the content was asked for before, and from now on it was.
   *
   * @param content SHA-256 as hexadecimal digits: its parts are as good as hashes of their own.
   */
  ask(content: string): PreFilterAnswer {
    this.#rotate();
    const places = this.#placesOf(content);
    const seen = this.#generations.some((generation) => places.every((place) => holds(generation, place)));
    const [newest] = this.#generations;
    if (newest !== undefined) for (const place of places) mark(newest, place);
    return seen ? 'seen' : 'new';
  }

  #rotate(): void {
    const nowMs = this.#clock.nowMs();
    // A clock that was set back makes it remember for longer, once, and not until the old time is reached again.
    if (nowMs < this.#startedAt) this.#startedAt = nowMs;
    const spans = Math.floor((nowMs - this.#startedAt) / this.#spanMs);
    for (let turn = 0; turn < Math.min(spans, generationCount); turn += 1) {
      const oldest = this.#generations.pop();
      if (oldest !== undefined) this.#generations.unshift(oldest.fill(0));
    }
    this.#startedAt += spans * this.#spanMs;
  }

  /** Double hashing: two numbers of the digest make as many places as are wanted. */
  #placesOf(content: string): number[] {
    const first = Number.parseInt(content.slice(0, 8), 16);
    // Odd, so that it is never zero.
    const step = (Number.parseInt(content.slice(8, 16), 16) | 1) >>> 0;
    return Array.from({ length: this.#probes }, (_, probe) => (first + probe * step) % this.#bits);
  }
}

/** The usual sizes of a Bloom filter for so many members and so many false positives, in whole words. */
function bloomSize(members: number, falsePositives: number): { bits: number; probes: number } {
  const bitsPerMember = -Math.log(falsePositives) / Math.LN2 ** 2;
  const words = Math.max(2, Math.ceil((members * bitsPerMember) / wordBits));
  return { bits: words * wordBits, probes: Math.max(1, Math.round(bitsPerMember * Math.LN2)) };
}

function holds(generation: Uint32Array, place: number): boolean {
  return (((generation[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;
}

function mark(generation: Uint32Array, place: number): void {
  generation[place >>> 5] = (generation[place >>> 5] ?? 0) | (1 << (place & 31));
}
