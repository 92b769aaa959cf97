/** What a claim says of the disks that have it, by every reply that a server can give. */
import { expect, test } from 'vitest';
import type { ClaimRequest } from '../../../src/claim/claim-store.ts';
import { RedisClaimStore, type ReplicaWait } from '../../../src/claim/redis-claims.ts';
import type { RedisClient } from '../../../src/claim/redis-client.ts';

const asked: ClaimRequest = { key: 'scan:idem:test', occurredAt: 5, token: 'a', ttlMs: 3_500 };

/** A server that grants every claim, and answers the question after it with this, or with this error. */
function storeThat(answers: unknown, waitReplicas: ReplicaWait = { count: 2, withinMs: 50, onDisk: true }) {
  const sent: (readonly string[])[] = [];
  const client: RedisClient = {
    async send(_key, command) {
      sent.push(command);
      if (command[0] === 'set') return null;
      if (answers instanceof Error) throw answers;
      return answers;
    },
    renew: () => undefined,
    close: async () => undefined,
  };
  return { store: new RedisClaimStore(client, { waitReplicas }), sent };
}

test('the master and as many replicas as are wanted are asked, after the claim and on its connection', async () => {
  const { store, sent } = storeThat([1, 2]);
  await store.claim(asked);
  expect(sent).toEqual([
    ['set', 'scan:idem:test', 'p|5|a', 'NX', 'GET', 'PX', '3500'],
    ['waitaof', '1', '2', '50'],
  ]);
});

test('for claims whose replies come together they are asked once', async () => {
  const { store, sent } = storeThat([1, 0], { count: 0, withinMs: 50, onDisk: true });
  const replies = await Promise.all(Array.from({ length: 50 }, () => store.claim(asked)));
  expect(replies).toEqual(Array(50).fill({ kind: 'first', replicas: 0, onDisk: true }));
  expect(sent.filter(([name]) => name === 'waitaof')).toEqual([['waitaof', '1', '0', '50']]);
});

test.each([
  [[1, 2], { replicas: 2, onDisk: true }],
  [[1, 0], { replicas: 0, onDisk: true }],
  [[0, 2], { replicas: 2, onDisk: false }],
  [[0, 0], { replicas: 0, onDisk: false }],
])('the reply %j says %j', async (reply, kept) => {
  expect(await storeThat(reply).store.claim(asked)).toEqual({ kind: 'first', ...kept });
});

test.each([
  [new Error("ERR unknown command 'waitaof', with args beginning with: '1' '2' '50' ")],
  [new Error('ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.')],
  [new Error('ERR WAITAOF cannot be used with replica instances.')],
  [new Error("NOPERM this user has no permissions to run the 'waitaof' command")],
  [new Error('UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)')],
  [new Error('the connection was lost')],
  [2],
  [null],
  [[]],
  [[1]],
  [['1', '2']],
])('the claim is ours and nothing more is said of it after %s', async (answers) => {
  expect(await storeThat(answers).store.claim(asked)).toEqual({ kind: 'first' });
});

test('an answer to WAITAOF is none to WAIT', async () => {
  expect(await storeThat([1, 2], { count: 2, withinMs: 50 }).store.claim(asked)).toEqual({ kind: 'first' });
});
