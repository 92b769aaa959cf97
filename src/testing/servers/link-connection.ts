/** One connection through a link: what its two sides say to each other, as far as the faults of the link let them. */
import { connect, type Socket } from 'node:net';
import type { LinkFault, LinkUser } from './link-fault.ts';

export interface LinkRules {
  /** Those that are on for this connection now. */
  faults(connection: LinkConnection): readonly LinkFault[];
  hit(): void;
  closed(connection: LinkConnection): void;
}

/** How the text of a query message ends that commits: not that of `READ COMMITTED`. */
const commitEnd = 'COMMIT\0';
const words = { replica: /REPLCONF|PSYNC/i, sentinel: /sentinel-/i } as const;

export class LinkConnection {
  readonly number: number;
  user: LinkUser = 'client';
  readonly #rules: LinkRules;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #requests: Stream;
  readonly #replies: Stream;
  #isReplyDropped = false;
  #requestCount = 0;
  #cuttable = 0;

  constructor(client: Socket, target: number, number: number, rules: LinkRules) {
    this.number = number;
    this.#rules = rules;
    this.#client = client;
    this.#server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.#requests = new Stream(this.#server);
    this.#replies = new Stream(client);
    client.on('data', (bytes) => this.#request(bytes)).on('end', () => this.#pass('request', undefined));
    this.#server.on('data', (bytes) => this.#reply(bytes)).on('end', () => this.#pass('reply', undefined));
    for (const socket of [client, this.#server]) {
      socket.on('error', () => this.reset());
      socket.on('close', () => this.#closed());
    }
  }

  /** With a reset on both sides, so that neither takes it for an orderly end. */
  reset(): void {
    this.#requests.drop();
    this.#replies.drop();
    for (const socket of [this.#client, this.#server]) if (!socket.destroyed) socket.resetAndDestroy();
  }

  faultsChanged(): void {
    const silent = this.#silent();
    for (const [direction, stream] of [
      ['request', this.#requests],
      ['reply', this.#replies],
    ] as const) {
      if (!stream.isHeld || silent.some((fault) => fault.direction === 'both' || fault.direction === direction)) continue;
      if (stream.ends === 'reset' && stream.hasHeld) this.reset();
      else stream.release();
    }
  }

  #request(bytes: Buffer): void {
    if (this.#requestCount < 8) this.#recognise(bytes);
    this.#requestCount += 1;
    const cuts = this.#rules.faults(this).flatMap((fault) => this.#cutOf(fault, bytes));
    if (cuts.includes('reply')) this.#isReplyDropped = true;
    if (cuts.includes('request')) this.#cut();
    else this.#pass('request', bytes);
  }

  /** Where a fault cuts this request off, if it does. */
  #cutOf(fault: LinkFault, bytes: Buffer): ('request' | 'reply')[] {
    if (fault.kind === 'closed') return ['request'];
    if (fault.kind !== 'cut' || (fault.only === 'COMMIT' && !bytes.includes(commitEnd))) return [];
    this.#cuttable += 1;
    return this.#cuttable % fault.oneOf === 0 ? [fault.at] : [];
  }

  #reply(bytes: Buffer): void {
    // The server replies when it is done: its reply is what is dropped.
    if (this.#isReplyDropped) this.#cut();
    else this.#pass('reply', bytes);
  }

  /** @param bytes nothing: the end. */
  #pass(direction: 'request' | 'reply', bytes: Buffer | undefined): void {
    const stream = direction === 'request' ? this.#requests : this.#replies;
    const silence = this.#silent().find((fault) => fault.direction === 'both' || fault.direction === direction);
    if (silence !== undefined) {
      this.#rules.hit();
      stream.hold(silence.ends);
    }
    const slow = this.#rules.faults(this).find((fault) => fault.kind === 'slow');
    if (slow !== undefined) this.#rules.hit();
    stream.take(bytes, slow);
  }

  #silent(): (LinkFault & { readonly kind: 'silent' })[] {
    return this.#rules.faults(this).filter((fault) => fault.kind === 'silent');
  }

  #recognise(bytes: Buffer): void {
    const text = bytes.toString('latin1');
    if (words.replica.test(text)) this.user = 'replica';
    else if (words.sentinel.test(text)) this.user = 'sentinel';
  }

  #cut(): void {
    this.#rules.hit();
    this.reset();
  }

  #closed(): void {
    if (this.#client.destroyed && this.#server.destroyed) this.#rules.closed(this);
  }
}

/** What goes in one direction: in order, whatever holds it up. */
class Stream {
  isHeld = false;
  ends: 'delivered' | 'reset' = 'delivered';
  readonly #to: Socket;
  #held: (Buffer | undefined)[] = [];
  #freeAt = 0;
  #hasEnded = false;

  constructor(to: Socket) {
    this.#to = to;
  }

  get hasHeld(): boolean {
    return this.#held.length > 0;
  }

  hold(ends: 'delivered' | 'reset'): void {
    this.isHeld = true;
    this.ends = ends;
  }

  release(): void {
    this.isHeld = false;
    for (const bytes of this.#held.splice(0)) this.#write(bytes);
  }

  drop(): void {
    this.#held = [];
    this.isHeld = false;
  }

  take(bytes: Buffer | undefined, slow: (LinkFault & { readonly kind: 'slow' }) | undefined): void {
    const now = performance.now();
    if (slow !== undefined) {
      const length = bytes?.length ?? 0;
      this.#freeAt = Math.max(now + slow.delayMs, this.#freeAt + (length * 1_000) / slow.bytesPerS);
    }
    if (this.#freeAt <= now) this.#arrived(bytes);
    else setTimeout(() => this.#arrived(bytes), this.#freeAt - now);
  }

  #arrived(bytes: Buffer | undefined): void {
    if (this.isHeld) this.#held.push(bytes);
    else this.#write(bytes);
  }

  #write(bytes: Buffer | undefined): void {
    if (this.#to.destroyed || this.#hasEnded) return;
    if (bytes !== undefined) this.#to.write(bytes);
    else {
      this.#hasEnded = true;
      this.#to.end();
    }
  }
}
