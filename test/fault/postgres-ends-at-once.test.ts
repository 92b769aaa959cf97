/** A server that takes a connection and ends it in the same breath, as one that is told to stop does, when both messages come in one packet. */
import { createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { PostgresPool } from '../../src/ledger/postgres-pool.ts';

/** Type, length, content: what the server's side of the protocol is made of. */
function message(type: string, content: string): Buffer {
  const body = Buffer.from(content, 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const authenticated = message('R', '\0\0\0\0');
const ready = message('Z', 'I');
const terminated = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');

const sockets: Socket[] = [];
const server = createServer((socket) => {
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, terminated])));
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('is an error of the one who wanted the connection, and does not end the process', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const pool = new PostgresPool(`postgres://gate@127.0.0.1:${address.port}/ledger`, {});
  const uncaught: unknown[] = [];
  const note = (error: unknown): number => uncaught.push(error);
  process.on('uncaughtException', note);
  await expect(pool.query({ text: 'SELECT 1' })).rejects.toThrow();
  await pool.end();
  process.off('uncaughtException', note);
  expect(sockets).toHaveLength(1);
  expect(uncaught).toEqual([]);
});
