/**
 * Asks each server of Redis that takes claims what it is.
 *
 * In: an address as in the setting. Out: what every master says of itself, or why it says nothing. It leaves one key behind for a second:
 * only a claim that was written shows that claims can be. Never throws.
 */
import { randomUUID } from 'node:crypto';
import { Command } from 'ioredis';
import type { Clock } from '../../base/clock.ts';
import { within } from '../../base/deadline.ts';
import { pendingValue } from '../../claim/claim-value.ts';
import { RedisCalls, type RedisFailure } from '../../claim/redis-calls.ts';
import { settleScript } from '../../claim/redis-scripts.ts';
import { RedisSingleClient } from '../../claim/redis-single-client.ts';
import { parseRedisUrl, type RedisAddress, type RedisHost } from '../../claim/redis-url.ts';
import { type ClockSkew, measureSkew } from './clock-skew.ts';

/** Fields of INFO or of CONFIG GET; nothing where that is not allowed. */
export type Fields = ReadonlyMap<string, string> | undefined;

export interface RedisFacts {
  readonly target: string;
  readonly info: Fields;
  readonly settings: Fields;
  readonly skew: ClockSkew | undefined;
  /** Why a claim was not taken; nothing when it was. */
  readonly refusedClaim: string | undefined;
  /** Why it does not say what is on disk; nothing when it does, or was not asked. */
  readonly refusedWait?: RedisFailure;
}

export interface RedisSilence {
  readonly target: string;
  readonly unreachable: string;
}

export interface RedisReport {
  readonly servers: readonly (RedisFacts | RedisSilence)[];
  /** Of a cluster: how many of its 16384 slots have a master. */
  readonly servedSlots?: number;
}

export interface ProbeOptions {
  readonly clock: Clock;
  /** How long a connection and an answer may take, ms. */
  readonly withinMs: number;
  /** Whether to ask what is on disk, as claims do that wait for it. */
  readonly asksForDisk: boolean;
}

type SingleAddress = Exclude<RedisAddress, { kind: 'cluster' }>;

/** @throws ScanGateError `SG_CONFIG_INVALID` for an address that is none. */
export async function probeRedis(url: string, options: ProbeOptions): Promise<RedisReport> {
  const address = parseRedisUrl(url);
  if (address.kind !== 'cluster') return { servers: [await probeServer(address, options)] };
  const ranges = await mastersOf(address, options);
  if (ranges === undefined)
    return { servers: [{ target: shownHosts(address.nodes), unreachable: 'No node of it says who has which slots.' }] };
  const masters = new Map(ranges.map((range) => [shownHosts([range.master]), range]));
  const servers = await Promise.all(
    [...masters.values()].map((range) => probeServer(singleAt(address, range.master), options, range)),
  );
  return { servers, servedSlots: ranges.reduce((slots, { first, last }) => slots + last - first + 1, 0) };
}

interface SlotRange {
  readonly first: number;
  readonly last: number;
  readonly master: RedisHost;
}

async function probeServer(address: SingleAddress, options: ProbeOptions, range?: SlotRange): Promise<RedisFacts | RedisSilence> {
  const target = address.kind === 'single' ? shownHosts([address.server]) : `master "${address.master}"`;
  return withCalls(address, options, async (calls, ready) => {
    if (!ready) return { target, unreachable: await whyNot(calls) };
    const info = await calls.ask('', ['info']);
    const settings = await calls.ask('', ['config', 'get', '*']);
    return {
      target,
      info: info.ok && typeof info.value === 'string' ? fieldsOf(info.value) : undefined,
      settings: settings.ok && Array.isArray(settings.value) ? pairsOf(settings.value) : undefined,
      skew: await measureSkew(
        () => options.clock.nowMs(),
        () => timeOf(calls),
      ),
      refusedClaim: await tryClaim(calls, range),
      ...(options.asksForDisk && (await tryWait(calls))),
    };
  });
}

async function whyNot(calls: RedisCalls): Promise<string> {
  const asked = await calls.ask('', ['ping']);
  return asked.ok ? 'Redis was not ready in time.' : asked.error.reason.replace(/[^.]$/, '$&.');
}

/** As a claim is written and settled. */
async function tryClaim(calls: RedisCalls, range: SlotRange | undefined): Promise<string | undefined> {
  const key = keyIn(range);
  const token = randomUUID();
  const claimed = await calls.ask(key, ['set', key, pendingValue(0, token), 'NX', 'GET', 'PX', '1000']);
  if (!claimed.ok) return claimed.error.reason;
  const settled = await calls.run(settleScript, key, [token, 'doctor']);
  return settled.ok ? undefined : `It cannot be settled: ${settled.error.reason}`;
}

/** After the claim, so that there is something to wait for; and hardly at all, because what matters is whether it is answered. */
async function tryWait(calls: RedisCalls): Promise<Pick<RedisFacts, 'refusedWait'>> {
  const asked = await calls.ask('', ['waitaof', '1', '0', '1']);
  return asked.ok ? {} : { refusedWait: asked.error };
}

/** A key that this master has. */
function keyIn(range: SlotRange | undefined): string {
  for (;;) {
    const key = `scan:idem:doctor:${randomUUID()}`;
    if (range === undefined) return key;
    const slot = new Command('get', [key]).getSlot() ?? range.first;
    if (slot >= range.first && slot <= range.last) return key;
  }
}

async function timeOf(calls: RedisCalls): Promise<number | undefined> {
  const asked = await calls.ask('', ['time']);
  if (!asked.ok || !Array.isArray(asked.value)) return undefined;
  const [seconds, microseconds] = asked.value as unknown[];
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

/** From the first node that says so. */
async function mastersOf(
  address: Extract<RedisAddress, { kind: 'cluster' }>,
  options: ProbeOptions,
): Promise<SlotRange[] | undefined> {
  const told = address.nodes.map((node) =>
    withCalls(singleAt(address, node), options, async (calls, ready) => {
      const asked = ready ? await calls.ask('', ['cluster', 'slots']) : undefined;
      if (asked === undefined || !asked.ok || !Array.isArray(asked.value)) throw new Error('It does not say.');
      return (asked.value as SlotsRow[]).map(([first, last, [host, port]]) => ({
        first,
        last,
        // A node that does not know its own address leaves it out: it is the one that was asked.
        master: { host: host === null || host === '' || host === '?' ? node.host : host, port },
      }));
    }),
  );
  try {
    return await Promise.any(told);
  } catch {
    return undefined;
  }
}

type SlotsRow = readonly [first: number, last: number, master: readonly [host: string | null, port: number]];

function singleAt({ tls, username, password }: RedisAddress, server: RedisHost): SingleAddress {
  const access = { tls, ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
  return { kind: 'single', ...access, server, db: 0 };
}

async function withCalls<T>(
  address: SingleAddress,
  { withinMs }: ProbeOptions,
  use: (calls: RedisCalls, ready: boolean) => Promise<T>,
): Promise<T> {
  const client = new RedisSingleClient(address, { deadlineMs: withinMs });
  try {
    const ready = await within(
      withinMs,
      client.ready.then(() => true),
      false,
    );
    return await use(new RedisCalls(client, withinMs), ready);
  } finally {
    // It ends by itself, and nobody waits for it.
    void client.close();
  }
}

export function fieldsOf(info: string): Map<string, string> {
  const lines = info.split(/\r?\n/).filter((line) => /^[^#:][^:]*:/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

function pairsOf(flat: readonly unknown[]): Map<string, string> {
  return new Map(flat.flatMap((name, index) => (index % 2 === 0 ? [[String(name), String(flat[index + 1])] as const] : [])));
}

function shownHosts(hosts: readonly RedisHost[]): string {
  return hosts.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)).join(', ');
}
