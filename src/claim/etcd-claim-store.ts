/**
 * Claims in etcd 3.4 or later, that survive the loss of any minority of its nodes. The public API of `scangate/etcd`.
 *
 * In: who asks for a content identity. Out: who holds it, by one transaction that creates the key where its create revision is 0, and
 * reads it where it is not; the key lives as long as a lease. Later writes compare the revision at which the token was seen. What can go
 * wrong: no leader, no majority, no reply, a value that is not of ours. Each is `unavailable` with its reason, never a decision. It
 * never deletes a claim, never writes one without a lease, and never throws.
 */
import { ScanGateError } from '../base/errors.ts';
import { ok, type Result } from '../base/result.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from './claim-store.ts';
import { type HeldClaim, parseClaimValue, pendingValue } from './claim-value.ts';
import { EtcdCalls, type Fetch, isMessage, type Message } from './etcd-calls.ts';
import { EtcdLeases } from './etcd-leases.ts';

export type { Fetch, FetchInit, FetchReply } from './etcd-calls.ts';

export interface EtcdOptions {
  /** How long a claim, a settling or a moving on may take, ms, all endpoints together; 1500 when left out. */
  readonly deadlineMs?: number;
  /** Sent with every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For TLS with authorities of one's own; that of Node.js when left out. */
  readonly fetch?: Fetch;
}

/** What the key holds, and at which revision it was written. */
interface Seen {
  readonly value: string;
  readonly modRevision: string;
  readonly lease: string | undefined;
}

/** What became of one step. The revision is the one at which it was written, where the reply says so. */
type Transacted =
  | { readonly kind: 'written'; readonly revision: string | undefined }
  | { readonly kind: 'read'; readonly seen: Seen | undefined };

/** How often a key may change between being read and being written. */
const roundsMax = 4;

/** Of how many claims that are not settled yet it is known what their keys hold. Of every other it is read. */
const knownMax = 10_000;

/**
 * {@inheritDoc ClaimStore} Time to live is measured by the leases of etcd: in whole seconds, rounded up, the deadline added because a lease
 * begins before its claim is made, and at least what the election timeout of the servers allows (2 s by default). A claim that has
 * run out can be seen for another half second, and longer after an election. It is never shorter than was asked for.
 */
export class EtcdClaimStore implements ClaimStore {
  readonly keyedBy = 'content';
  readonly #calls: EtcdCalls;
  readonly #leases: EtcdLeases;
  readonly #deadlineMs: number;
  /** What was written last under a key and a token. A write that goes by it compares the revision, so it may be out of date. */
  readonly #known = new Map<string, Seen>();

  /**
   * @param endpoints `http://host:2379`, of as many nodes as you like: they are asked in turn until one answers.
   * @throws ScanGateError `SG_CONFIG_INVALID` when an endpoint or an option makes no sense.
   */
  constructor(endpoints: readonly string[], { deadlineMs = 1_500, headers = {}, fetch = globalThis.fetch }: EtcdOptions = {}) {
    if (!Number.isSafeInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > 60_000)
      throw new ScanGateError('SG_CONFIG_INVALID', 'The deadline of a call of etcd has to be an integer from 1 to 60000.');
    if (endpoints.length === 0) throw new ScanGateError('SG_CONFIG_INVALID', 'Claims in etcd need at least one endpoint.');
    this.#deadlineMs = deadlineMs;
    this.#calls = new EtcdCalls({ endpoints: endpoints.map(originOf), deadlineMs, headers, fetch });
    this.#leases = new EtcdLeases(this.#calls);
  }

  async claim(request: ClaimRequest): Promise<ClaimReply> {
    const deadlineAt = this.#calls.deadline();
    const share = this.#leases.share(this.#secondsOf(request), deadlineAt);
    const lease = await share.id;
    if (!lease.ok) return { kind: 'unavailable', reason: lease.error };
    const { reply, isUsed } = await this.#claimUnder(lease.value, request, deadlineAt);
    share.release(isUsed);
    return reply;
  }

  /** Safe to repeat with the same token and entry. */
  settle(key: string, token: string, entryId: string): Promise<'settled' | 'stale' | 'unavailable'> {
    const settled = ({ occurredAt }: HeldClaim) => `c|${occurredAt}|${token}|${entryId}`;
    return this.#compareAndSet(key, token, async (held) => ok({ value: base64(settled(held)), ignore_lease: true }), 'settled');
  }

  moveOn(request: ClaimRequest, heldBy: string): Promise<'moved' | 'stale' | 'unavailable'> {
    const { key, occurredAt, token } = request;
    const value = pendingValue(occurredAt, token);
    const put = async (_held: HeldClaim, deadlineAt: number): Promise<Result<Message, string>> => {
      const lease = await this.#leases.grant(this.#secondsOf(request), deadlineAt);
      return lease.ok ? ok({ value: base64(value), lease: lease.value }) : lease;
    };
    return this.#compareAndSet(key, heldBy, put, 'moved', value);
  }

  async close(): Promise<void> {
    this.#calls.close();
    this.#known.clear();
  }

  /** @returns the reply, and whether a key has the lease, or may have it because no reply came. */
  async #claimUnder(
    lease: string,
    { key, occurredAt, token }: ClaimRequest,
    deadlineAt: number,
  ): Promise<{ readonly reply: ClaimReply; readonly isUsed: boolean }> {
    const value = pendingValue(occurredAt, token);
    const asked = await this.#transact(
      { compare: [{ key: base64(key), target: 'CREATE', result: 'EQUAL', create_revision: '0' }] },
      { key: base64(key), value: base64(value), lease },
      deadlineAt,
    );
    if (!asked.ok) return { reply: { kind: 'unavailable', reason: asked.error }, isUsed: true };
    if (asked.value.kind === 'written') {
      this.#know(key, token, asked.value.revision, value);
      return { reply: { kind: 'first' }, isUsed: true };
    }
    const { seen } = asked.value;
    return { reply: this.#replyOf(seen, token), isUsed: seen === undefined || seen.lease === lease };
  }

  /** In whole seconds, the deadline added. */
  #secondsOf({ ttlMs }: ClaimRequest): number {
    return Math.ceil((ttlMs + this.#deadlineMs) / 1_000);
  }

  #know(key: string, token: string, modRevision: string | undefined, value: string): void {
    if (modRevision === undefined) return;
    // The oldest first: what was never settled has run out.
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= knownMax) this.#known.delete(oldest);
    this.#known.set(`${key} ${token}`, { value, modRevision, lease: undefined });
  }

  /** What the key holds, as far as it is known, and else as it is read. What is known is used once. */
  async #look(key: string, token: string, deadlineAt: number): Promise<Result<Seen | undefined, string>> {
    const name = `${key} ${token}`;
    const known = this.#known.get(name);
    this.#known.delete(name);
    return known === undefined ? this.#read(key, deadlineAt) : ok(known);
  }

  #replyOf(seen: Seen | undefined, token: string): ClaimReply {
    const held = seen && parseClaimValue(seen.value);
    if (held === undefined) return { kind: 'unavailable', reason: 'The key holds something that is not a claim.' };
    if (held.token === token) return { kind: 'own' };
    const { entryId, ...pending } = held;
    return entryId === undefined ? { kind: 'pending', ...pending } : { kind: 'committed', ...pending, entryId };
  }

  /**
   * Looks at the key, and writes it if the token that is expected holds it and nobody writes in between.
   *
   * @param own the value that would be written: where it is there already, an earlier request of this call was applied.
   */
  async #compareAndSet<E extends string>(
    key: string,
    token: string,
    put: (held: HeldClaim, deadlineAt: number) => Promise<Result<Message, string>>,
    done: E,
    own?: string,
  ): Promise<E | 'stale' | 'unavailable'> {
    const deadlineAt = this.#calls.deadline();
    let seen = await this.#look(key, token, deadlineAt);
    for (let round = 0; round < roundsMax && seen.ok; round += 1) {
      if (round > 0 && seen.value !== undefined && seen.value.value === own) return done;
      const held = seen.value && parseClaimValue(seen.value.value);
      if (seen.value === undefined || held?.token !== token) return 'stale';
      const change = await put(held, deadlineAt);
      if (!change.ok) return 'unavailable';
      const compare = [{ key: base64(key), target: 'MOD', result: 'EQUAL', mod_revision: seen.value.modRevision }];
      const written = await this.#transact({ compare }, { key: base64(key), ...change.value }, deadlineAt);
      if (!written.ok) return 'unavailable';
      if (written.value.kind === 'written') return done;
      seen = ok(written.value.seen);
    }
    return 'unavailable';
  }

  async #read(key: string, deadlineAt: number): Promise<Result<Seen | undefined, string>> {
    const read = await this.#calls.post('/v3/kv/range', { key: base64(key) }, deadlineAt);
    return read.ok ? ok(seenIn(read.value)) : read;
  }

  /** One step: writes where the comparison holds, and else reads. */
  async #transact(comparison: Message, put: Message, deadlineAt: number): Promise<Result<Transacted, string>> {
    const failure = [{ request_range: { key: put['key'] } }];
    const done = await this.#calls.post('/v3/kv/txn', { ...comparison, success: [{ request_put: put }], failure }, deadlineAt);
    if (!done.ok) return done;
    if (done.value['succeeded'] === true) return ok({ kind: 'written', revision: revisionIn(done.value) });
    const [response] = listIn(done.value, 'responses');
    const range = response?.['response_range'];
    return ok({ kind: 'read', seen: isMessage(range) ? seenIn(range) : undefined });
  }
}

function originOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/')
    throw new ScanGateError(
      'SG_CONFIG_INVALID',
      `An endpoint of etcd has the form http://host:2379, not ${JSON.stringify(endpoint)}.`,
    );
  return url.origin;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function listIn(message: Message, name: string): Message[] {
  const list = message[name];
  return Array.isArray(list) ? list.filter(isMessage) : [];
}

function revisionIn({ header }: Message): string | undefined {
  const revision = isMessage(header) ? header['revision'] : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

function seenIn(range: Message): Seen | undefined {
  const [kv] = listIn(range, 'kvs');
  const { value, mod_revision: modRevision, lease } = kv ?? {};
  if (typeof value !== 'string' || typeof modRevision !== 'string') return undefined;
  return {
    value: Buffer.from(value, 'base64').toString('utf8'),
    modRevision,
    lease: typeof lease === 'string' ? lease : undefined,
  };
}
