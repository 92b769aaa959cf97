import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { complaints, examined, saidOf } from '../support/doctor.ts';
import { freePort, type RedisServer, startRedis } from '../support/redis-server.ts';
import { type RedisCluster, startCluster, startReplicaOf, startSentinelOf } from '../support/redis-topologies.ts';
import { scangate, temporaryFolder } from '../support/server.ts';

let master: RedisServer;
let replica: RedisServer;
let cluster: RedisCluster;

beforeAll(async () => {
  [master, cluster] = await Promise.all([startRedis(), startCluster()]);
  replica = await startReplicaOf(master);
});

beforeEach(async () => {
  const standing = { 'maxmemory-policy': 'noeviction', maxmemory: '0', 'min-replicas-to-write': '0', save: '', appendonly: 'no' };
  for (const [name, value] of Object.entries(standing)) await master.operator.config('SET', name, value);
});

describe('one server', () => {
  test('that is as it should be leaves nothing to complain of, and no key after a second', async () => {
    const findings = await examined({ redis: master.url });
    expect(complaints('redis', findings)).toEqual([]);
    expect(saidOf('redis-version', findings)).toEqual([expect.stringMatching(/^ok: It is Redis 7\.\d+\.\d+\.$/)]);
    expect(saidOf('redis-role', findings)).toEqual(['ok: It is a master.']);
    expect(saidOf('redis-writable', findings)).toEqual(['ok: It took a claim, and settled it.']);
    const keys = await master.operator.keys('scan:idem:doctor:*');
    const lives = await Promise.all(keys.map((key) => master.operator.pttl(key)));
    expect(lives.filter((ms) => ms > 1_000 || ms === -1)).toEqual([]);
  });

  test('that nobody is at is a warning, because the ledger can decide alone', async () => {
    const port = await freePort();
    const findings = await examined({ redis: `redis://127.0.0.1:${port}` });
    expect(saidOf('redis-reachable', findings)).toEqual([
      `warning: Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`,
    ]);
    expect(findings.find(({ check }) => check === 'redis-reachable')?.todo).toContain('Start Redis');
  });

  test('that evicts is refused, and is a warning where that is allowed', async () => {
    await master.operator.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await master.operator.config('SET', 'maxmemory', '100mb');
    const sentence = 'maxmemory-policy is allkeys-lru: it evicts at 100.0 MiB.';
    expect(saidOf('redis-eviction', await examined({ redis: master.url }))).toEqual([`refusal: ${sentence}`]);
    const allowed = await examined({ redis: master.url, allow_eviction: 'true' });
    expect(saidOf('redis-eviction', allowed)).toEqual([`warning: ${sentence}`]);
  });

  test('whose memory is full takes no claim, and says so', async () => {
    await master.operator.config('SET', 'maxmemory', '1mb');
    const findings = await examined({ redis: master.url });
    expect(complaints('redis', findings)).toEqual(['redis-writable: warning', 'redis-memory: warning']);
    expect(saidOf('redis-writable', findings)).toEqual(['warning: Redis says OOM: its memory is full.']);
  });

  test('that is a replica is told by its role, and by the claim that it does not take', async () => {
    const findings = await examined({ redis: replica.url });
    expect(complaints('redis', findings)).toEqual(['redis-role: warning', 'redis-writable: warning']);
    expect(saidOf('redis-role', findings)).toEqual([`warning: It is a replica of 127.0.0.1:${master.port}.`]);
  });

  test('that hides its settings is judged by what it shows', async () => {
    await master.operator.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await master.operator.call('acl', 'setuser', 'gate', 'on', '>pw', '~scan:idem:*', '+@all', '-config');
    const findings = await examined({ redis: `redis://gate:pw@127.0.0.1:${master.port}` });
    expect(saidOf('redis-config', findings)).toEqual(['warning: The user is not allowed CONFIG GET.']);
    expect(saidOf('redis-eviction', findings)).toEqual([
      'refusal: maxmemory-policy is allkeys-lru: it evicts as soon as a maxmemory is set.',
    ]);
    expect(saidOf('redis-persistence', findings)).toEqual([
      'ok: It does not append to a file: a restart forgets at least what came after the last snapshot. The ledger decides those scans.',
    ]);
    expect(JSON.stringify(findings)).not.toContain('pw@');
  });

  test('that shows nothing at all still says whether it takes claims', async () => {
    await master.operator.call(
      'acl',
      'setuser',
      'bare',
      'on',
      '>pw',
      '~scan:idem:*',
      '+ping',
      '+set',
      '+get',
      '+eval',
      '+evalsha',
    );
    const findings = await examined({ redis: `redis://bare:pw@127.0.0.1:${master.port}` });
    expect(complaints('redis', findings)).toEqual(['redis-config: warning']);
    expect(saidOf('redis-config', findings)).toEqual(['warning: The user is not allowed INFO and CONFIG GET.']);
    expect(saidOf('redis-writable', findings)).toEqual(['ok: It took a claim, and settled it.']);
  });

  test('whose replicas no write waits for can forget claims, which matters where workers have nothing else', async () => {
    const flags = { redis: master.url, claim_keys: 'recipe' };
    expect(complaints('redis', await examined(flags))).toEqual(['redis-persistence: warning', 'redis-replicas: warning']);
    await master.operator.config('SET', 'min-replicas-to-write', '1');
    await master.operator.config('SET', 'appendonly', 'yes');
    expect(complaints('redis', await examined(flags))).toEqual([]);
    expect(saidOf('redis-replicas', await examined({ ...flags, redis_replicas: '2' }))).toEqual([
      'warning: It has 1 replica(s), and min-replicas-to-write is 1; claims wait for 2.',
    ]);
  });

  test('that does not know WAITAOF is refused where claims wait for disks, by the doctor and at the start', async () => {
    const sentence = expect.stringMatching(/^refusal: It is Redis 7\.0\.\d+, which does not know WAITAOF\.$/);
    expect(saidOf('redis-wait-aof', await examined({ redis: master.url }))).toEqual([]);
    expect(saidOf('redis-wait-aof', await examined({ redis: master.url, redis_wait_aof: 'true' }))).toEqual([sentence]);
    const args = ['serve', '--port', '0', '--data', temporaryFolder(), '--redis', master.url, '--redis-wait-aof', 'true'];
    const { code, stderr } = await scangate(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^scangate: redis-wait-aof, .*which does not know WAITAOF\. .* \(SG_UNSAFE\)\n$/);
  });

  test('whose clock is five seconds from ours is a warning with the number', async () => {
    const clock = { nowMs: () => Date.now() + 5_000 };
    const findings = await examined({ redis: master.url }, { clock });
    expect(saidOf('redis-clock', findings)).toEqual([
      expect.stringMatching(/^warning: Its clock is (?:49\d\d|50\d\d) ms behind ours, give or take \d+ ms\.$/),
    ]);
  });
});

test('behind Sentinels the master is looked at', async () => {
  const sentinel = await startSentinelOf(master);
  const findings = await examined({ redis: `redis+sentinel://127.0.0.1:${sentinel.port}/claims` });
  expect(complaints('redis', findings)).toEqual([]);
  expect(findings.find(({ check }) => check === 'redis-role')).toMatchObject({
    target: 'master "claims"',
    found: 'It is a master.',
  });
});

describe('a cluster', () => {
  test('is looked at master by master', async () => {
    const [, second] = cluster.nodes;
    await second?.operator.config('SET', 'maxmemory-policy', 'volatile-ttl');
    const findings = await examined({ redis: cluster.url });
    expect(saidOf('redis-writable', findings)).toEqual(Array.from({ length: 3 }, () => 'ok: It took a claim, and settled it.'));
    expect(findings.filter(({ level }) => level === 'refusal').map(({ check, target }) => [check, target])).toEqual([
      ['redis-eviction', `127.0.0.1:${second?.port}`],
    ]);
    await second?.operator.config('SET', 'maxmemory-policy', 'noeviction');
  });

  test('with a slot that nobody serves says how many are served', async () => {
    const [first] = cluster.nodes;
    expect(saidOf('redis-cluster', await examined({ redis: cluster.url }))).toEqual(['ok: 16384 of 16384 slots have a master.']);
    await first?.operator.call('cluster', 'delslots', 0);
    const findings = await examined({ redis: `redis+cluster://127.0.0.1:${first?.port}` });
    expect(saidOf('redis-cluster', findings)).toEqual(['warning: 16383 of 16384 slots have a master.']);
  });
});
