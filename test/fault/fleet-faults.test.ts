/** A fleet whose claims are in one Redis, with a replica and a Sentinel. */
import { beforeAll, expect, test } from 'vitest';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { freePort, type RedisServer, startRedis, untilInfo } from '../support/redis-server.ts';
import { type Sentinel, startReplicaOf, startSentinelOf, untilReplicaIsKnown } from '../support/redis-topologies.ts';
import { expectThousandLines, postgresCrashes, setFor } from './fleet-story.ts';

let books: Books;
let master: RedisServer;
let replica: RedisServer;
let sentinel: Sentinel;

beforeAll(async () => {
  const { newBooks } = await startBooks();
  books = await newBooks();
  master = await startRedis();
  replica = await startReplicaOf(master);
  sentinel = await startSentinelOf(master);
  await untilReplicaIsKnown(sentinel);
  // Until the last step whatever happens is to happen to the master, and not to whoever took its place.
  await patience(600_000);
});

/** How long the Sentinel waits before it takes a master for dead. */
function patience(ms: number): Promise<unknown> {
  return sentinel.operator.call('sentinel', 'set', 'claims', 'down-after-milliseconds', ms);
}

async function restartWithoutFailover(): Promise<void> {
  await master.kill();
  await master.restart();
}

async function becomeReadOnly(): Promise<void> {
  await master.operator.replicaof('127.0.0.1', await freePort());
}

async function becomeWritable(): Promise<void> {
  await master.operator.replicaof('NO', 'ONE');
  await untilInfo(replica, 'replication', 'master_link_status:up');
}

/** The Sentinel promotes the replica. */
async function failOver(): Promise<void> {
  expect(await master.operator.info('replication')).toContain('role:master');
  await patience(500);
  await master.kill();
  await untilInfo(replica, 'replication', 'role:master');
}

test('are a thousand lines while Redis is flushed, paused, full, restarted empty, read-only and failed over, and PostgreSQL crashes', async () => {
  await expectThousandLines({
    books,
    claims: { SCANGATE_REDIS: `redis+sentinel://127.0.0.1:${sentinel.port}/claims` },
    holders: [replica],
    steps: [
      { what: 'Redis is flushed', happen: () => master.operator.flushall() },
      { what: 'Redis hangs', happen: () => master.signal('SIGSTOP') },
      { what: 'Redis goes on', happen: () => master.signal('SIGCONT') },
      ...setFor([master], 'min-replicas-to-write', '5', '0'),
      ...setFor([master], 'maxmemory', '1', '0'),
      postgresCrashes(books),
      { what: 'Redis is killed and comes back empty, before the Sentinel has noticed', happen: restartWithoutFailover },
      { what: 'Redis becomes a replica of a server that there is not', happen: becomeReadOnly },
      { what: 'Redis is a master again', happen: becomeWritable },
      { what: 'Redis is killed, and its replica promoted', happen: failOver },
    ],
  });
});
