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

/** How often a key may change between being read and being written. */
const roundsMax = 4;

/**
 * {@inheritDoc ClaimStore} Time to live is measured by the leases of etcd: in whole seconds, rounded up, the deadline added because a lease
 * begins before its claim is made, and at least what the election timeout of the servers allows (2 s by default). A claim that has
 * run out can be seen for another half second, and longer after an election. It is never shorter than was asked for.
 */
export class EtcdClaimStore implements ClaimStore {
  readonly keyedBy = 'content';
  readonly #calls: EtcdCalls;
  readonly #deadlineMs: number;

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
  }

  async claim({ key, occurredAt, token, ttlMs }: ClaimRequest): Promise<ClaimReply> {
    const deadlineAt = this.#calls.deadline();
    const lease = await this.#grant(ttlMs, deadlineAt);
    if (!lease.ok) return { kind: 'unavailable', reason: lease.error };
    const asked = await this.#transact(
      { compare: [{ key: base64(key), target: 'CREATE', result: 'EQUAL', create_revision: '0' }] },
      { key: base64(key), value: base64(pendingValue(occurredAt, token)), lease: lease.value },
      deadlineAt,
    );
    if (!asked.ok) return { kind: 'unavailable', reason: asked.error };
    if (asked.value === 'written') return { kind: 'first' };
    if (asked.value !== undefined && asked.value.lease !== lease.value) void this.#revoke(lease.value);
    return this.#replyOf(asked.value, token);
  }

  /** Safe to repeat with the same token and entry. */
  settle(key: string, token: string, entryId: string): Promise<'settled' | 'stale' | 'unavailable'> {
    const settled = ({ occurredAt }: HeldClaim) => `c|${occurredAt}|${token}|${entryId}`;
    return this.#compareAndSet(key, token, async (held) => ok({ value: base64(settled(held)), ignore_lease: true }), 'settled');
  }

  moveOn({ key, occurredAt, token, ttlMs }: ClaimRequest, heldBy: string): Promise<'moved' | 'stale' | 'unavailable'> {
    const value = pendingValue(occurredAt, token);
    const put = async (_held: HeldClaim, deadlineAt: number): Promise<Result<Message, string>> => {
      const lease = await this.#grant(ttlMs, deadlineAt);
      return lease.ok ? ok({ value: base64(value), lease: lease.value }) : lease;
    };
    return this.#compareAndSet(key, heldBy, put, 'moved', value);
  }

  async close(): Promise<void> {
    this.#calls.close();
  }

  #replyOf(seen: Seen | undefined, token: string): ClaimReply {
    const held = seen && parseClaimValue(seen.value);
    if (held === undefined) return { kind: 'unavailable', reason: 'The key holds something that is not a claim.' };
    if (held.token === token) return { kind: 'own' };
    const { entryId, ...pending } = held;
    return entryId === undefined ? { kind: 'pending', ...pending } : { kind: 'committed', ...pending, entryId };
  }

  /**
   * Reads the key, and writes it if the token that is expected holds it and nobody writes in between.
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
    let seen = await this.#read(key, deadlineAt);
    for (let round = 0; round < roundsMax && seen.ok; round += 1) {
      if (round > 0 && seen.value !== undefined && seen.value.value === own) return done;
      const held = seen.value && parseClaimValue(seen.value.value);
      if (seen.value === undefined || held?.token !== token) return 'stale';
      const change = await put(held, deadlineAt);
      if (!change.ok) return 'unavailable';
      const compare = [{ key: base64(key), target: 'MOD', result: 'EQUAL', mod_revision: seen.value.modRevision }];
      const written = await this.#transact({ compare }, { key: base64(key), ...change.value }, deadlineAt);
      if (!written.ok) return 'unavailable';
      const { value } = written;
      if (value === 'written') return done;
      seen = ok(value);
    }
    return 'unavailable';
  }

  async #read(key: string, deadlineAt: number): Promise<Result<Seen | undefined, string>> {
    const read = await this.#calls.post('/v3/kv/range', { key: base64(key) }, deadlineAt);
    return read.ok ? ok(seenIn(read.value)) : read;
  }

  /** One step: writes where the comparison holds, and else reads. */
  async #transact(comparison: Message, put: Message, deadlineAt: number): Promise<Result<'written' | Seen | undefined, string>> {
    const failure = [{ request_range: { key: put['key'] } }];
    const done = await this.#calls.post('/v3/kv/txn', { ...comparison, success: [{ request_put: put }], failure }, deadlineAt);
    if (!done.ok) return done;
    if (done.value['succeeded'] === true) return ok('written');
    const [response] = listIn(done.value, 'responses');
    const range = response?.['response_range'];
    return ok(isMessage(range) ? seenIn(range) : undefined);
  }

  async #grant(ttlMs: number, deadlineAt: number): Promise<Result<string, string>> {
    const seconds = Math.ceil((ttlMs + this.#deadlineMs) / 1_000);
    const granted = await this.#calls.post('/v3/lease/grant', { TTL: String(seconds) }, deadlineAt);
    if (!granted.ok) return granted;
    const id = granted.value['ID'];
    return typeof id === 'string' ? ok(id) : { ok: false, error: 'etcd granted a lease without an id.' };
  }

  /** Of a claim that was not made. Nobody waits for it: the lease would run out by itself. */
  async #revoke(lease: string): Promise<void> {
    await this.#calls.post('/v3/lease/revoke', { ID: lease }, this.#calls.deadline());
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
