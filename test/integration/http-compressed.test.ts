import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { get, journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer } from '../support/server.ts';
import { quarantinedBytes } from '../support/server-ledger.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

const json = { 'content-type': 'application/json' };
const ndjson = { 'content-type': 'application/x-ndjson' };
const scan = JSON.stringify(dispense('compressed'));

/** A number of `/metrics`. */
async function metric(name: string): Promise<number> {
  const { text } = await get(server, '/metrics');
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

/** A gigabyte of zeros, in a megabyte of gzip. */
function gigabyteOfZeros(): Buffer {
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024));
  return Buffer.concat(Array.from({ length: 1024 }, () => megabyte));
}

test('a body in gzip is read as what it holds: one scan, an array, NDJSON', async () => {
  const one = await post(server, gzipSync(scan), { headers: { 'content-encoding': 'gzip' } });
  expect(one.status).toBe(201);
  const array = await post(server, gzipSync(`[${scan}]`), { headers: { 'content-encoding': 'GZIP ' } });
  expect([array.status, array.answers[0]?.of]).toEqual([200, one.answer.entry]);
  const lines = await post(server, gzipSync(`${scan}\n${scan}\n`), { headers: { ...ndjson, 'content-encoding': 'x-gzip' } });
  expect([lines.status, lines.answers.length, lines.answers[1]?.of]).toEqual([200, 2, one.answer.entry]);
  const asItIs = await post(server, scan, { headers: { 'content-encoding': 'identity' } });
  expect(asItIs.status).toBe(200);
});

const unreadable = 'The body is not gzip, as its Content-Encoding says, or it is cut short.';
const unknown = (encoding: string): string => `Content-Encoding is "${encoding}"; send gzip, or none.`;

const refusals: readonly [what: string, encoding: string, body: Buffer, message: string][] = [
  ['brotli', 'br', brotliCompressSync(scan), unknown('br')],
  ['deflate', 'deflate', deflateSync(scan), unknown('deflate')],
  ['gzip twice', 'gzip, gzip', gzipSync(gzipSync(scan)), unknown('gzip, gzip')],
  ['a plain body that is called gzip', 'gzip', Buffer.from(scan), unreadable],
  ['gzip that is cut short', 'gzip', gzipSync(scan).subarray(0, -12), unreadable],
  ['nothing that is called gzip', 'gzip', Buffer.alloc(0), unreadable],
];

test.each(refusals)(
  '%s is refused with 415, as JSON and as NDJSON, and kept as it was sent',
  async (_, encoding, body, message) => {
    const lines = await ledgerLines(server);
    for (const headers of [json, ndjson]) {
      const { status, answers } = await post(server, body, { headers: { ...headers, 'content-encoding': encoding } }).then(
        (sent) => (headers === json ? { ...sent, answers: [sent.answer] } : sent),
      );
      expect([status, answers.at(-1)?.code, answers.at(-1)?.message]).toEqual([415, 'SG_CONTENT_ENCODING', message]);
      const record = (await journalRecords(server, '-')).at(-1);
      expect(record?.rejection).toMatchObject({ code: 'SG_CONTENT_ENCODING', quarantine_id: answers.at(-1)?.quarantine_id });
      expect(quarantinedBytes(server.data, record?.rejection?.quarantine_id ?? '')).toEqual(body);
    }
    expect(await ledgerLines(server)).toEqual(lines);
  },
);

test('gzip whose check sum is wrong is refused, although it could be read', async () => {
  const body = gzipSync(JSON.stringify(dispense('check-sum')));
  body.writeUInt8(body.readUInt8(body.length - 8) ^ 0xff, body.length - 8);
  const { status, answer } = await post(server, body, { headers: { 'content-encoding': 'gzip' } });
  expect([status, answer.code]).toEqual([415, 'SG_CONTENT_ENCODING']);
  expect(await ledgerLines(server, 'check-sum')).toEqual([]);
});

test('of NDJSON in gzip that is cut short, the whole lines are taken and the rest is refused', async () => {
  const serials = Array.from({ length: 2_000 }, (_, index) => `S${(index * 7919) % 65_521}`);
  const whole = gzipSync(
    serials.map((serial_number) => `${JSON.stringify(dispense('cut-short', { serial_number }))}\n`).join(''),
  );
  const { status, answers } = await post(server, whole.subarray(0, Math.floor(whole.length / 2)), {
    headers: { ...ndjson, 'content-encoding': 'gzip' },
  });
  expect(status).toBe(207);
  expect(answers.at(-1)).toMatchObject({ outcome: 'rejected', code: 'SG_CONTENT_ENCODING' });
  expect(answers.length).toBeGreaterThan(100);
  expect(answers.slice(0, -1).every(({ outcome }) => outcome === 'committed')).toBe(true);
  expect(await ledgerLines(server, 'cut-short')).toHaveLength(answers.length - 1);
});

test('a gigabyte of zeros in a megabyte of gzip is refused with 413, and the memory of the server stays flat', async () => {
  const bomb = gigabyteOfZeros();
  expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
  const before = await metric('process_resident_memory_bytes');
  for (const headers of [json, ndjson]) {
    const { status, text } = await post(server, bomb, { headers: { ...headers, 'content-encoding': 'gzip' } });
    expect([status, text.includes(headers === json ? 'SG_BODY_TOO_LARGE' : 'SG_ITEM_TOO_LARGE')]).toEqual([413, true]);
  }
  const after = await metric('process_resident_memory_bytes');
  expect(after - before).toBeLessThan(200 * 1024 * 1024);
  expect((await get(server, '/v1/health')).status).toBe(200);
});

test('a body of many times the limit is refused with 413, and the client that still sends it hears why', async () => {
  const { status, answer } = await post(server, Buffer.alloc(64 * 1024 * 1024, ' '));
  expect([status, answer.code]).toEqual([413, 'SG_BODY_TOO_LARGE']);
});

test('what these tests have written is a ledger in which everything holds', async () => {
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});
