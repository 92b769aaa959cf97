import { describe, expect, it } from 'vitest';
import { redisFindings } from '../../../../src/service/doctor/redis-findings.ts';
import { fieldsOf, type RedisFacts } from '../../../../src/service/doctor/redis-probe.ts';

const standing = {
  allow_eviction: false,
  claim_keys: 'content',
  redis_replicas: 0,
  redis_replicas_ms: 50,
  redis_wait_aof: false,
  captured_ahead_ms_max: 120_000,
} as const;

/** As a server of Redis 7.0 says it, without what is not read. */
const info = [
  '# Server',
  'redis_version:7.0.15',
  '# Memory',
  'used_memory:1048576',
  'maxmemory:0',
  'maxmemory_policy:noeviction',
  '# Persistence',
  'aof_enabled:0',
  '# Replication',
  'role:master',
  'connected_slaves:0',
  '',
].join('\r\n');

function facts(changes: Readonly<Record<string, string>>, settings?: Readonly<Record<string, string>>): RedisFacts {
  const fields = new Map([...fieldsOf(info), ...Object.entries(changes)]);
  const shown = settings && new Map(Object.entries(settings));
  return { target: 'a:6379', info: fields, settings: shown, skew: undefined, refusedClaim: undefined };
}

function said(check: string, server: RedisFacts, settings: Partial<Parameters<typeof redisFindings>[1]> = {}): unknown[] {
  const found = redisFindings({ servers: [server] }, { ...standing, ...settings });
  return found.filter((one) => one.check === check).map(({ level, found: sentence }) => [level, sentence]);
}

describe('the version', () => {
  it.each([
    [{ redis_version: '6.2.14' }, 'refusal', 'It is Redis 6.2.14.'],
    [{ redis_version: '7.0.0' }, 'ok', 'It is Redis 7.0.0.'],
    [{ redis_version: '8.2.1' }, 'ok', 'It is Redis 8.2.1.'],
    [{ redis_version: '7.2.4', valkey_version: '8.1.0' }, 'ok', 'It is Valkey 8.1.0.'],
  ] as const)('has to know SET with NX and GET: %o', (changes, level, found) => {
    expect(said('redis-version', facts(changes))).toEqual([[level, found]]);
  });
});

describe('eviction', () => {
  it.each(['allkeys-lru', 'volatile-ttl'])('is refused, also where no limit is set yet, unless it is allowed: %s', (policy) => {
    const server = facts({ maxmemory_policy: policy });
    const found = `maxmemory-policy is ${policy}: it evicts as soon as a maxmemory is set.`;
    expect(said('redis-eviction', server)).toEqual([['refusal', found]]);
    expect(said('redis-eviction', server, { allow_eviction: true })).toEqual([['warning', found]]);
  });
});

describe('persistence', () => {
  it.each([
    [{ appendonly: 'yes', appendfsync: 'always' }, 'ok', 'It appends to a file at every write: a restart forgets nothing.'],
    [
      { appendonly: 'yes', appendfsync: 'everysec' },
      'ok',
      'It appends to a file, appendfsync everysec: a crash of the machine forgets about a second.',
    ],
    [
      { appendonly: 'yes', appendfsync: 'no' },
      'warning',
      'It appends to a file, appendfsync no: a crash of the machine forgets what was not synced yet.',
    ],
    [
      { appendonly: 'no', save: '3600 1' },
      'warning',
      'It keeps snapshots (save 3600 1): a restart forgets the claims since the last.',
    ],
    [{ appendonly: 'no', save: '' }, 'warning', 'It keeps nothing on disk: a restart forgets every claim.'],
  ] as const)('matters where workers have nothing but claims: %o', (settings, level, found) => {
    expect(said('redis-persistence', facts({}, settings), { claim_keys: 'recipe' })).toEqual([[level, found]]);
  });

  it('is made up for by the ledger', () => {
    expect(said('redis-persistence', facts({}, { appendonly: 'no', save: '' }))).toEqual([
      ['ok', 'It keeps nothing on disk: a restart forgets every claim. The ledger decides those scans.'],
    ]);
  });
});

describe('replicas', () => {
  it('that claims wait for have to be there', () => {
    expect(said('redis-replicas', facts({ connected_slaves: '1' }), { redis_replicas: 2 })).toEqual([
      ['warning', 'It has 1 replica(s), and min-replicas-to-write is 0; claims wait for 2.'],
    ]);
  });

  it('that no write waits for are told of, from INFO alone where settings are hidden', () => {
    expect(said('redis-replicas', facts({ connected_slaves: '1' }), { claim_keys: 'recipe' })).toEqual([
      ['warning', 'It has 1 replica(s), and min-replicas-to-write is 0: a failover can forget claims.'],
    ]);
    expect(said('redis-replicas', facts({ connected_slaves: '1', min_slaves_good_slaves: '1' }))).toEqual([
      ['ok', 'It has 1 replica(s), and min-replicas-to-write is 1: it takes no claims without a replica.'],
    ]);
  });
});

describe('claims that wait for disks', () => {
  const waits = { redis_wait_aof: true };
  const refused = (server: RedisFacts, code?: string) => ({
    ...server,
    refusedWait: { reason: 'Redis has not answered within 800 ms.', ...(code !== undefined && { code }) },
  });

  it('are not looked at where none are asked for, nor on a replica, which takes no claims', () => {
    expect(said('redis-wait-aof', refused(facts({}), 'ERR'))).toEqual([]);
    expect(said('redis-wait-aof', refused(facts({ role: 'slave' }), 'ERR'), waits)).toEqual([]);
  });

  it.each([
    ['ERR', { redis_version: '7.0.15' }, 'It is Redis 7.0.15, which does not know WAITAOF.'],
    ['ERR', { redis_version: '7.2.0' }, 'It does not append to a file (appendonly no), so no claim is ever on its disk.'],
    [
      'ERR',
      { redis_version: '7.2.4', valkey_version: '8.1.0' },
      'It does not append to a file (appendonly no), so no claim is ever on its disk.',
    ],
    ['NOPERM', { redis_version: '8.2.1', aof_enabled: '1' }, 'It does not take WAITAOF: it says NOPERM.'],
    [undefined, { redis_version: '8.2.1', aof_enabled: '1' }, 'Redis has not answered within 800 ms.'],
  ])('are refused by a server that does not answer: %s, %j', (code, changes, found) => {
    expect(said('redis-wait-aof', refused(facts(changes), code), waits)).toEqual([['refusal', found]]);
  });

  it('wait in vain where the file is synced less often than they wait', () => {
    const server = facts({ redis_version: '8.2.1' }, { appendonly: 'yes', appendfsync: 'everysec' });
    const slow = 'It answers WAITAOF, but with appendfsync everysec not before the next sync, and claims wait for 50 ms.';
    expect(said('redis-wait-aof', server, waits)).toEqual([['warning', slow]]);
    expect(said('redis-wait-aof', server, { ...waits, redis_replicas_ms: 1_000 })).toEqual([['ok', 'It answers WAITAOF.']]);
    const always = facts({ redis_version: '8.2.1' }, { appendonly: 'yes', appendfsync: 'always' });
    expect(said('redis-wait-aof', always, waits)).toEqual([['ok', 'It answers WAITAOF.']]);
  });
});

it('a memory that is nearly full is a warning', () => {
  expect(said('redis-memory', facts({ maxmemory: '1165084' }))).toEqual([['warning', '1.0 MiB are used of 1.1, 90 %.']]);
});

it('a cluster with a slot that nobody serves is a warning', () => {
  const findings = redisFindings({ servers: [facts({})], servedSlots: 16_383 }, standing);
  expect(findings[0]).toMatchObject({ check: 'redis-cluster', level: 'warning', found: '16383 of 16384 slots have a master.' });
});
