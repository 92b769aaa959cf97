import { expect, test } from 'vitest';
import { type Address, get, getJson, ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { ClientSocket } from '../support/http-client-socket.ts';
import { startServer } from '../support/server.ts';

const head =
  'POST /v1/scans HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

async function residentBytes(server: Address): Promise<number> {
  return Number(/^process_resident_memory_bytes (.+)$/m.exec((await get(server, '/metrics')).text)?.[1]);
}

test('a client that sends and never reads its answers is cut off, and costs neither memory nor another client', async () => {
  const server = await startServer({ args: ['--answer-ms-max', '3000'] });
  const before = await residentBytes(server);
  const socket = new ClientSocket(server);
  socket.pause();
  // With this reason an answer is 2 kB: it takes few of them to fill the buffers of both sides.
  const reason = '€'.repeat(500);
  const line = (index: number): string => `${JSON.stringify(dispense('deaf', { serial_number: `S${index}`, reason }))}\n`;
  const lines = Array.from({ length: 25_000 }, (_, index) => line(index)).join('');
  const begunAt = performance.now();
  socket.write(head + chunk(lines));
  for (let index = 0; index < 20; index += 1) {
    expect((await post(server, dispense('others', { serial_number: `S${index}` }))).status).toBe(201);
  }
  const closedAt = await socket.closed;
  expect((closedAt - begunAt) / 1_000).toBeLessThan(60);
  expect((await residentBytes(server)) - before).toBeLessThan(350 * 1024 * 1024);
  expect((await ledgerLines(server, 'deaf')).length).toBeLessThan(25_000);
  expect((await getJson<{ queue_depth: number }>(server, '/v1/health')).queue_depth).toBe(0);
  expect((await server.stop()).code).toBe(0);
});
