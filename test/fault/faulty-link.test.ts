/** A link between a client and a server that answers each line with the same line: what comes, when, and what does not. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { FaultyLink } from '../../src/testing/servers/faulty-link.ts';
import { lifetime } from '../support/lifetime.ts';
import { until } from '../support/server.ts';

const applied: string[] = [];
let serverPort = 0;

beforeAll(async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).setEncoding('utf8');
    socket.on('data', (text: string) => {
      applied.push(text);
      socket.write(`${text} back`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lifetime.onEnd(() => server.close());
  serverPort = (server.address() as AddressInfo).port;
});

interface Client {
  readonly socket: Socket;
  readonly received: string[];
  isClosed: boolean;
}

async function clientOf(link: FaultyLink): Promise<Client> {
  const socket = connect(link.port, '127.0.0.1').setEncoding('utf8');
  const client: Client = { socket, received: [], isClosed: false };
  socket.on('error', () => undefined).on('close', () => Object.assign(client, { isClosed: true }));
  socket.on('data', (text: string) => client.received.push(text));
  await once(socket, 'connect');
  return client;
}

async function openLink(): Promise<FaultyLink> {
  const link = new FaultyLink('link', serverPort);
  await link.listen();
  lifetime.onEnd(() => link.close());
  return link;
}

const received = ({ received: texts }: Client, text: string) => until(() => texts.join('').includes(text) || undefined);
const closed = (client: Client) => until(() => client.isClosed || undefined);

test('what is sent comes, both ways, and an orderly end reaches the other side', async () => {
  const client = await clientOf(await openLink());
  client.socket.write('one');
  await received(client, 'one back');
  client.socket.end();
  await closed(client);
  expect(applied).toContain('one');
});

test('a request that is cut off is not applied; one whose reply is cut off is', async () => {
  const link = await openLink();
  const end = link.begin({ kind: 'cut', at: 'request', oneOf: 1 });
  const first = await clientOf(link);
  first.socket.write('never applied');
  await closed(first);
  end();
  link.begin({ kind: 'cut', at: 'reply', oneOf: 1 });
  const second = await clientOf(link);
  second.socket.write('applied unheard');
  await closed(second);
  expect(second.received).toEqual([]);
  expect(applied).toContain('applied unheard');
  expect(applied).not.toContain('never applied');
  expect(link.hits).toBe(2);
});

test('only a request that commits is cut off where only those are to be', async () => {
  const link = await openLink();
  link.begin({ kind: 'cut', at: 'request', oneOf: 1, only: 'COMMIT' });
  const client = await clientOf(link);
  client.socket.write('BEGIN ISOLATION LEVEL READ COMMITTED\0');
  await received(client, 'COMMITTED');
  client.socket.write('COMMIT\0');
  await closed(client);
  expect(applied).not.toContain('COMMIT\0');
});

test('what a black hole has held comes late, and in order, when it ends by delivering', async () => {
  const link = await openLink();
  const client = await clientOf(link);
  const end = link.begin({ kind: 'silent', direction: 'request', ends: 'delivered' });
  client.socket.write('held 1;');
  await until(() => link.hits === 1 || undefined);
  client.socket.write('held 2;');
  await until(() => link.hits === 2 || undefined);
  expect(client.received).toEqual([]);
  expect(client.isClosed).toBe(false);
  end();
  await received(client, 'held 2;');
  expect(applied.join('')).toContain('held 1;held 2;');
});

test('a connection in which something was held is reset when a black hole ends so, and one in which nothing was goes on', async () => {
  const link = await openLink();
  const [busy, idle] = [await clientOf(link), await clientOf(link)];
  const end = link.begin({ kind: 'silent', direction: 'both', ends: 'reset' });
  busy.socket.write('lost');
  await until(() => link.hits === 1 || undefined);
  end();
  await closed(busy);
  idle.socket.write('alive');
  await received(idle, 'alive back');
  expect(applied).not.toContain('lost');
});

test('a fault of a replica does not meet a client', async () => {
  const link = await openLink();
  const [replica, client] = [await clientOf(link), await clientOf(link)];
  replica.socket.write('REPLCONF');
  await received(replica, 'REPLCONF back');
  link.begin({ kind: 'cut', at: 'request', oneOf: 1 }, { user: 'replica' });
  client.socket.write('mine');
  await received(client, 'mine back');
  replica.socket.write('PSYNC');
  await closed(replica);
});
