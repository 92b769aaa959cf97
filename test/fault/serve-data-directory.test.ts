import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { get, ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { type Ended, scangate, startServer, temporaryFolder } from '../support/server.ts';
import { ledgerFile } from '../support/server-ledger.ts';

function serveOn(data: string): Promise<Ended> {
  return scangate(['serve', '--port', '0', '--data', data]);
}

/** One sentence on stderr that names a path, nothing on stdout, and exit code 1. */
function expectRefusal({ code, stdout, stderr }: Ended, path: string, sentence: RegExp, errorCode: string): void {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^scangate: [^\n]+ \(SG_[A-Z_]+\)\n$/);
  expect(stderr).toContain(path);
  expect(stderr).toMatch(sentence);
  expect(stderr).toContain(`(${errorCode})`);
}

function bash(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('bash', ['--norc', '-euc', command, 'bash', ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

test('a second server on the same data is refused, and the first one goes on', async () => {
  const first = await startServer();
  expect((await post(first, dispense('shared', { scan_uuid: 'trigger-1' }))).status).toBe(201);
  const sentence = /^scangate: Another ScanGate server uses the data directory .+\. Stop it, or give this one another --data\./;
  for (const spelling of [first.data, `${first.data}/`, join(first.data, '..', 'data')]) {
    expectRefusal(await serveOn(spelling), first.data, sentence, 'SG_DATA_LOCKED');
  }
  expect((await post(first, dispense('shared', { scan_uuid: 'trigger-1' }))).status).toBe(200);
  expect((await post(first, dispense('shared', { lot_number: 'B' }))).status).toBe(201);
  first.kill('SIGKILL');
  await first.ended;
  const next = await startServer({ data: first.data });
  expect(await ledgerLines(next)).toHaveLength(2);
});

test('of servers that are started on one directory at the same time, one serves', async () => {
  const data = join(temporaryFolder(), 'data');
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => startServer({ data })));
  const [running, ...more] = started.filter((start) => start.status === 'fulfilled');
  expect(more).toEqual([]);
  for (const { reason } of started.filter((start) => start.status === 'rejected'))
    expect(String(reason)).toContain('SG_DATA_LOCKED');
  if (running !== undefined) expect((await post(running.value, dispense('one'))).status).toBe(201);
  expect.assertions(5);
});

test('a file where the directory ought to be is refused and left as it is', async () => {
  const path = join(temporaryFolder(), 'data');
  writeFileSync(path, 'precious');
  expectRefusal(await serveOn(path), path, /is a file; the data directory has to be a directory\./, 'SG_DATA_PATH');
  expectRefusal(await serveOn(join(path, 'below')), path, /cannot be made in .+: ENOTDIR/, 'SG_DATA_PATH');
  expect(readFileSync(path, 'utf8')).toBe('precious');
});

test('a directory whose parent is missing is refused, and nothing is made: a disk may not be mounted', async () => {
  const parent = join(temporaryFolder(), 'not-mounted');
  const path = join(parent, 'data');
  expectRefusal(await serveOn(path), path, /cannot be made in .+\/not-mounted: ENOENT/, 'SG_DATA_PATH');
  expect(existsSync(parent)).toBe(false);
});

test('a directory where the ledger file ought to be is refused', async () => {
  const data = temporaryFolder();
  mkdirSync(ledgerFile(data));
  expectRefusal(await serveOn(data), ledgerFile(data), /is a directory; the ledger needs a file there\./, 'SG_DATA_PATH');
});

test('a file that is no ledger is refused and left as it is', async () => {
  const data = temporaryFolder();
  writeFileSync(ledgerFile(data), 'This is a letter, and no database at all. '.repeat(1_000));
  expectRefusal(await serveOn(data), ledgerFile(data), /is damaged: file is not a database\./, 'SG_DATA_DAMAGED');
  expect(readFileSync(ledgerFile(data), 'utf8')).toContain('This is a letter');
});

test('a ledger that was damaged in the middle is refused with its path, and verify finds the damage too', async () => {
  const server = await startServer();
  const scans = Array.from({ length: 2_000 }, (_, index) => dispense('damaged', { serial_number: `S${index}` }));
  expect((await post(server, scans)).status).toBe(201);
  expect((await server.stop()).code).toBe(0);
  const path = ledgerFile(server.data);
  const file = openSync(path, 'r+');
  const middle = Math.floor(statSync(path).size / 2 / 4_096) * 4_096;
  writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, middle);
  closeSync(file);
  expectRefusal(await serveOn(server.data), path, /is damaged: .+ Restore a backup, or copy it/, 'SG_DATA_DAMAGED');
  const verified = await scangate(['verify', '--data', server.data]);
  expect(verified.code).toBe(1);
  expect(verified.stderr).toContain(`scangate: ${path} is damaged`);
});

test('a directory on a file system that is read-only is refused, and is left as it is', async () => {
  const server = await startServer();
  expect((await post(server, dispense('read-only'))).status).toBe(201);
  expect((await server.stop()).code).toBe(0);
  const mounted = temporaryFolder();
  bash('mount --bind "$1" "$2"; mount -o remount,ro,bind "$2"', server.data, mounted);
  onTestFinished(() => bash('umount -l "$1"', mounted));
  const before = readdirSync(mounted);
  expectRefusal(await serveOn(mounted), mounted, /The data directory .+ cannot be written to\./, 'SG_DATA_PATH');
  expectRefusal(await serveOn(join(mounted, 'new')), join(mounted, 'new'), /cannot be made in .+: EROFS/, 'SG_DATA_PATH');
  expect(readdirSync(mounted)).toEqual(before);
  expect((await post(await startServer({ data: server.data }), dispense('read-only'))).status).toBe(200);
});

test('a directory that does not exist yet is made in a parent that does', async () => {
  const data = join(temporaryFolder(), 'new');
  const server = await startServer({ data });
  expect((await get(server, '/v1/health')).status).toBe(200);
  expect(existsSync(ledgerFile(data))).toBe(true);
});
