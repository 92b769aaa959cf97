/** A fleet whose claims are in a cluster of three nodes of etcd. */
import { beforeAll, test } from 'vitest';
import { type EtcdCluster, startEtcd } from '../support/etcd-server.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { expectThousandLines, postgresCrashes } from './fleet-story.ts';

let books: Books;
let etcd: EtcdCluster;

beforeAll(async () => {
  const { newBooks } = await startBooks();
  books = await newBooks();
  etcd = await startEtcd(500);
});

async function killFollowers(count: number): Promise<void> {
  const { followers } = await etcd.roles();
  await Promise.all(followers.slice(0, count).map((node) => node.kill()));
}

async function killLeader(): Promise<void> {
  const { leader } = await etcd.roles();
  await leader.kill();
}

async function hangLeader(): Promise<void> {
  const { leader } = await etcd.roles();
  leader.signal('SIGSTOP');
}

const heals = { what: 'all nodes take part again', happen: () => etcd.heal() };

test('are a thousand lines while followers and leaders die, hang and come back, the majority too, and PostgreSQL crashes', async () => {
  await expectThousandLines({
    books,
    claims: { SCANGATE_ETCD: etcd.urls.join(',') },
    steps: [
      { what: 'a follower is killed', happen: () => killFollowers(1) },
      heals,
      { what: 'the leader is killed', happen: killLeader },
      heals,
      { what: 'the leader hangs', happen: hangLeader },
      heals,
      { what: 'the majority is killed', happen: () => killFollowers(2) },
      heals,
      postgresCrashes(books),
    ],
  });
});
