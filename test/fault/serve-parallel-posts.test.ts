import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { scangate, startServer } from '../support/server.ts';

const rounds = 200;
const posts = 50;

test('of 50 parallel posts of one scan one is committed and 49 are suppressed, 200 times, with a scan id and without', async () => {
  const server = await startServer();
  const agent = new Agent({ keepAlive: true, maxSockets: posts });
  for (let round = 0; round < rounds; round += 1) {
    const id = round % 2 === 0 ? `trigger-${round}` : undefined;
    const scan = dispense('parallel', { serial_number: `S${round}`, scan_uuid: id, captured_at: recently + round });
    const answered = await Promise.all(Array.from({ length: posts }, () => post(server, scan, { agent })));
    const statuses = answered.map(({ status }) => status);
    expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 200).length]).toEqual([
      1, 49,
    ]);
    const entry = answered.find(({ status }) => status === 201)?.answer.entry;
    expect(entry?.line).toBe(round + 1);
    const pointedAt = new Set(answered.flatMap(({ answer }) => answer.of?.id ?? []));
    expect(pointedAt).toEqual(new Set([entry?.id]));
  }
  agent.destroy();
  expect(await ledgerLines(server, 'parallel')).toHaveLength(200);
  const outcomes = (await journalRecords(server, 'parallel')).map(({ outcome }) => outcome);
  expect(outcomes).toHaveLength(10_000);
  expect(outcomes.filter((outcome) => outcome === 'suppressed')).toHaveLength(9_800);
  expect((await server.stop()).code).toBe(0);
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});
