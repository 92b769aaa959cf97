import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { get, ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { scangate, startServer, temporaryFolder } from '../support/server.ts';

function bash(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('bash', ['--norc', '-euc', command, 'bash', ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

/** A disk of 3 MB, of which a file takes one; removing the file makes room again. */
function smallDisk(): { readonly folder: string; makeRoom(): void } {
  const folder = temporaryFolder();
  bash('mount -t tmpfs -o size=3m scangate "$1"', folder);
  onTestFinished(() => bash('umount -l "$1"', folder));
  const filler = join(folder, 'filler');
  writeFileSync(filler, Buffer.alloc(1024 * 1024, 1));
  return { folder, makeRoom: () => rmSync(filler) };
}

test('on a full disk scans are told to come back, nothing that was acknowledged is lost, and with room again it goes on', async () => {
  const disk = smallDisk();
  const server = await startServer({ data: join(disk.folder, 'data') });
  const scan = (index: number): Record<string, unknown> =>
    dispense('full', { serial_number: `S${index}`, scan_uuid: `t${index}` });
  const acknowledged: string[] = [];
  let refused: Awaited<ReturnType<typeof post>> | undefined;
  for (let index = 0; refused === undefined && index < 20_000; index += 1) {
    const answered = await post(server, scan(index));
    if (answered.status === 201) acknowledged.push(answered.answer.entry?.id ?? '');
    else refused = answered;
  }
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(refused?.status).toBe(503);
  expect(refused?.headers['retry-after']).toBe('1');
  expect(refused?.answer).toMatchObject({ outcome: 'unavailable', code: 'SG_LEDGER_FULL' });
  expect(refused?.answer.message).toContain(server.data);

  const health = await get(server, '/v1/health');
  expect(health.status).toBe(503);
  expect(health.answer).toMatchObject({ live: true, ready: false, last_failure: { code: 'SG_LEDGER_FULL' } });
  const again = await post(server, scan(acknowledged.length));
  expect([again.status, again.answer.code]).toEqual([503, 'SG_LEDGER_FULL']);
  expect((await ledgerLines(server)).map(({ entry_id }) => entry_id)).toEqual(acknowledged);

  disk.makeRoom();
  const retried = await post(server, scan(acknowledged.length));
  expect(retried.status).toBe(201);
  expect((await get(server, '/v1/health')).status).toBe(200);
  const first = await post(server, scan(0));
  expect([first.status, first.answer.of?.id]).toEqual([200, acknowledged[0]]);
  expect(await ledgerLines(server)).toHaveLength(acknowledged.length + 1);
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
  expect((await server.stop()).code).toBe(0);
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

test('a server that is killed on a full disk starts again when there is room, with everything that was acknowledged', async () => {
  const disk = smallDisk();
  const server = await startServer({ data: join(disk.folder, 'data') });
  const acknowledged: string[] = [];
  const agents = Array.from({ length: 8 }, async (_, client) => {
    for (let count = 0; count < 5_000; count += 1) {
      const { status, answer } = await post(server, dispense('full', { serial_number: `${client}-${count}` }));
      if (status === 503) return;
      acknowledged.push(answer.entry?.id ?? '');
    }
  });
  await Promise.all(agents);
  server.kill('SIGKILL');
  await server.ended;
  // Whether it can start on the full disk depends on what SQLite has to write: it does, or says why not.
  const tried = await startServer({ data: server.data }).catch((error: Error) => error);
  if (tried instanceof Error) expect(tried.message).toMatch(/^The server ended with 1: scangate: [^\n]+ \(SG_\w+\)\n$/);
  else expect((await tried.stop()).code).toBe(0);
  disk.makeRoom();
  const next = await startServer({ data: server.data });
  const lines = (await ledgerLines(next)).map(({ entry_id }) => entry_id);
  expect(lines.toSorted()).toEqual(acknowledged.toSorted());
  expect((await post(next, dispense('full', { serial_number: 'after' }))).status).toBe(201);
  expect((await next.stop()).code).toBe(0);
});
