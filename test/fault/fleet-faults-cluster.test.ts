/** A fleet whose claims are in a cluster of Redis: three masters without replicas. */
import { beforeAll, test } from 'vitest';
import { type Books, startBooks } from '../support/postgres-books.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { slotMove } from '../support/redis-slots.ts';
import { type RedisCluster, startCluster } from '../support/redis-topologies.ts';
import { expectThousandLines, postgresCrashes, setFor } from './fleet-story.ts';

let books: Books;
let cluster: RedisCluster;

beforeAll(async () => {
  const { newBooks } = await startBooks();
  books = await newBooks();
  cluster = await startCluster();
});

test('are a thousand lines while nodes are flushed, paused, full, killed and restarted empty, slots move, and PostgreSQL crashes', async () => {
  const { nodes, url } = cluster;
  const [first, second, third] = nodes as [RedisServer, RedisServer, RedisServer];
  // Of 16,384: one pick of eight is of a slot that moves.
  const move = slotMove(cluster, 2_048);
  await expectThousandLines({
    books,
    claims: { SCANGATE_REDIS: url },
    holders: nodes,
    steps: [
      { what: 'all nodes are flushed', happen: () => Promise.all(nodes.map(({ operator }) => operator.flushall())) },
      { what: 'a node hangs', happen: () => second.signal('SIGSTOP') },
      { what: 'the node goes on', happen: () => second.signal('SIGCONT') },
      { what: 'slots begin to move', happen: () => move.begin() },
      { what: 'the slots have moved', happen: () => move.end() },
      ...setFor(nodes, 'maxmemory', '1', '0'),
      ...setFor([first, third], 'min-replicas-to-write', '1', '0'),
      postgresCrashes(books),
      { what: 'a node is killed', happen: () => third.kill() },
      { what: 'the node is back, and empty', happen: () => third.restart() },
    ],
  });
});
