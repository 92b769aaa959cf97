import { beforeAll, expect, test } from 'vitest';
import { get, ledgerLines, postLines } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { ClientSocket } from '../support/http-client-socket.ts';
import { type ServerProcess, scangate, startServer, until } from '../support/server.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

const head =
  'POST /v1/scans HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

async function residentBytes(): Promise<number> {
  return Number(/^process_resident_memory_bytes (.+)$/m.exec((await get(server, '/metrics')).text)?.[1]);
}

test('NDJSON of 50 000 lines is answered line by line, in order, with bounded memory', async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => {
    if (index % 1_000 === 999) return '{"not": JSON}';
    // Every tenth is sent twice, one behind the other.
    return JSON.stringify(dispense('stream', { serial_number: `S${index % 10 === 9 ? index - 1 : index}` }));
  });
  const memory = [await residentBytes()];
  const watching = setInterval(() => void residentBytes().then((bytes) => memory.push(bytes)), 250);
  const { status, headers, answers } = await postLines(server, lines);
  clearInterval(watching);
  expect([status, headers['content-type']]).toEqual([207, 'application/x-ndjson; charset=utf-8']);
  expect(answers).toHaveLength(50_000);
  const wrong = answers.filter(({ outcome, scan, of }, index) => {
    if (index % 1_000 === 999) return outcome !== 'rejected';
    if (index % 10 === 9) return outcome !== 'suppressed' || of?.id !== answers[index - 1]?.entry?.id;
    return outcome !== 'committed' || (scan as { serial_number: string }).serial_number !== `S${index}`;
  });
  expect(wrong).toEqual([]);
  expect(await ledgerLines(server, 'stream')).toHaveLength(45_000);
  expect(memory.length).toBeGreaterThan(2);
  expect(Math.max(...memory) - (memory[0] ?? 0)).toBeLessThan(350 * 1024 * 1024);
});

test('while a client still sends its NDJSON, what it has sent is decided', async () => {
  const socket = new ClientSocket(server);
  socket.write(head + chunk(`${JSON.stringify(dispense('early'))}\n`));
  await until(async () => ((await ledgerLines(server, 'early')).length === 1 ? true : undefined), 3_000);
  socket.write(chunk(`${JSON.stringify(dispense('early'))}\n`));
  socket.write('0\r\n\r\n');
  await socket.closed;
  expect(socket.statuses).toEqual([207]);
  expect([...socket.received.matchAll(/"outcome":"(\w+)"/g)].map(([, outcome]) => outcome)).toEqual(['committed', 'suppressed']);
});

test('a client that disconnects in the middle of its NDJSON leaves what was decided, and sends it all again', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) =>
    JSON.stringify(dispense('broken-off', { serial_number: `S${index}`, scan_uuid: `t${index}` })),
  );
  const socket = new ClientSocket(server);
  socket.write(head + chunk(`${lines.slice(0, 3_000).join('\n')}\n${lines[3_000]?.slice(0, 50)}`));
  await until(async () => ((await ledgerLines(server, 'broken-off')).length >= 1_000 ? true : undefined));
  socket.destroy();
  const { status, answers } = await postLines(server, lines);
  expect([status, answers.length]).toEqual([207, 5_000]);
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['suppressed', 'committed']));
  const entries = (await ledgerLines(server, 'broken-off')).map(({ entry_id }) => entry_id);
  expect(entries).toHaveLength(5_000);
  expect(new Set(answers.map(({ entry, of }) => (entry ?? of)?.id))).toEqual(new Set(entries));
});

test('what these tests have written is a ledger in which everything holds', async () => {
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
  expect((await server.stop()).stdout).not.toContain('"event":"defect"');
});
