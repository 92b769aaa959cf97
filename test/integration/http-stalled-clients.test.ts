import { Agent } from 'node:http';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { ClientSocket, postText } from '../support/http-client-socket.ts';
import { type ServerProcess, scangate, startServer, until } from '../support/server.ts';

let server: ServerProcess;
const sockets: ClientSocket[] = [];

beforeAll(async () => {
  server = await startServer();
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

function open(): ClientSocket {
  const socket = new ClientSocket(server);
  sockets.push(socket);
  return socket;
}

const scan = (facility: string, changes = {}): string => JSON.stringify(dispense(facility, changes));
const half = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** How a client begins a request that it does not finish, and the statuses that it hears. */
const stalls: readonly [what: string, begin: (socket: ClientSocket) => void, statuses: readonly number[]][] = [
  ['sends nothing', () => undefined, [408]],
  ['sends half of a header', (socket) => socket.write('POST /v1/scans HTTP/1.1\r\nHost: scan'), [408]],
  [
    'drips its header, a byte at a time',
    (socket) => {
      const header = `POST /v1/scans HTTP/1.1\r\nHost: scangate\r\nX-Padding: ${'x'.repeat(200)}\r\n\r\n`;
      let at = 0;
      const timer = setInterval(() => socket.write(header.charAt(at++)), 100);
      void socket.closed.then(() => clearInterval(timer));
    },
    [408],
  ],
  ['sends a whole header and no body', (socket) => socket.write(postText('', { length: 100 })), [408]],
  ['sends half of a scan', (socket) => socket.write(postText(half(scan('half')), { length: scan('half').length })), [408]],
  [
    'sends one chunk of a body and not the last',
    (socket) =>
      socket.write(
        'POST /v1/scans HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
      ),
    [408],
  ],
  [
    'sends a line of NDJSON and half of the next',
    (socket) => {
      const body = `${scan('half-line')}\n${half(scan('half-line'))}`;
      socket.write(postText(body, { type: 'application/x-ndjson', length: body.length + 100 }));
    },
    [207],
  ],
  [
    'sends one whole request and half of the header of the next',
    (socket) => socket.write(`${postText(scan('second'))}POST /v1/scans HTTP/1.1\r\nHos`),
    [201, 408],
  ],
];

test('a client that does not finish what it began hears so and is cut off within 5 s', async () => {
  const seen = await Promise.all(
    stalls.map(async ([what, begin]) => {
      const socket = open();
      const begunAt = performance.now();
      begin(socket);
      const closedAt = await socket.closed;
      return { what, socket, seconds: (closedAt - begunAt) / 1_000 };
    }),
  );
  for (const [index, { what, socket, seconds }] of seen.entries()) {
    expect([what, socket.statuses]).toEqual([what, stalls[index]?.[2]]);
    expect(seconds, what).toBeLessThan(5);
    expect(seconds, what).toBeGreaterThan(3);
    expect(socket.received).toContain('SG_REQUEST_TIMEOUT');
  }
  const records = await journalRecords(server);
  expect(records.map(({ outcome, rejection }) => rejection?.code ?? outcome).toSorted()).toEqual([
    'SG_REQUEST_TIMEOUT',
    'SG_REQUEST_TIMEOUT',
    'SG_REQUEST_TIMEOUT',
    'SG_REQUEST_TIMEOUT',
    'committed',
    'committed',
  ]);
  expect(await ledgerLines(server)).toHaveLength(2);
});

test('what is no HTTP is answered with a problem, and does not disturb anybody', async () => {
  const socket = open();
  socket.write('\x16\x03\x01\x02 hello\r\n\r\n');
  await socket.closed;
  expect(socket.statuses).toEqual([400]);
  expect(socket.received).toContain('content-type: application/problem+json');
  expect(socket.received).toContain('"code":"SG_REQUEST_INVALID"');
  const large = open();
  large.write(`GET /v1/health HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
  await large.closed;
  expect(large.statuses).toEqual([431]);
});

test('a request that is followed by rubbish is answered, and then the connection ends', async () => {
  const socket = open();
  socket.write(`${postText(scan('rubbish'))}${postText(scan('rubbish'))}rubbish\r\n\r\n`);
  await socket.closed;
  expect(socket.statuses).toEqual([201, 200]);
  expect(await ledgerLines(server, 'rubbish')).toHaveLength(1);
});

test('pipelined requests are answered in their order', async () => {
  const socket = open();
  const serials = Array.from({ length: 50 }, (_, index) => `S${index}`);
  socket.write(serials.map((serial_number) => postText(scan('pipeline', { serial_number }))).join(''));
  await until(() => (socket.statuses.length === 50 ? true : undefined));
  expect(socket.statuses).toEqual(Array.from({ length: 50 }, () => 201));
  const answered = [...socket.received.matchAll(/"serial_number":"(S\d+)"/g)].map(([, serial]) => serial);
  expect(answered).toEqual(serials);
});

test('one kept connection serves many requests, refused ones and too large ones too', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  agent.on('free', (socket: { localPort?: number }) => ports.add(socket.localPort));
  const bodies = [scan('kept'), scan('kept'), '{', '', Buffer.alloc(9_000_000, ' '), scan('kept', { quantity: 0 }), scan('kept')];
  const statuses: number[] = [];
  for (const body of bodies) statuses.push((await post(server, body, { agent })).status);
  agent.destroy();
  expect(statuses).toEqual([201, 200, 400, 400, 413, 422, 200]);
  expect(ports.size).toBe(1);
});

test('a client that goes away in the middle is no defect, and leaves a server that serves the others', async () => {
  for (const type of ['application/json', 'application/x-ndjson']) {
    for (const body of ['', half(scan('gone')), `${scan('gone')}\n${half(scan('gone'))}`]) {
      const socket = open();
      socket.write(postText(body, { type, length: 100_000 }));
      await until(async () => ((await post(server, scan('others'))).status < 300 ? true : undefined));
      socket.destroy();
    }
  }
  expect((await post(server, scan('gone'))).status).toBeLessThan(300);
  expect(await ledgerLines(server, 'gone')).toHaveLength(1);
  expect((await journalRecords(server, '-')).filter(({ rejection }) => rejection?.code !== 'SG_REQUEST_TIMEOUT')).toHaveLength(3);
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
  expect((await server.stop()).stdout).not.toContain('"event":"defect"');
});
