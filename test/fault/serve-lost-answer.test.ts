import { expect, test } from 'vitest';
import { journalRecords, ledgerLines, post, postLines } from '../support/http-client.ts';
import { swallowingProxy } from '../support/http-client-proxy.ts';
import { dispense } from '../support/http-client-scans.ts';
import { startServer } from '../support/server.ts';

test('a scan whose answer was lost on the way is answered with its entry when it is sent again, with a scan id and without', async () => {
  const server = await startServer();
  const proxy = await swallowingProxy(server);
  const kinds = [
    { lot_number: 'A', scan_uuid: 'trigger-1' },
    { lot_number: 'B', scan_uuid: undefined },
  ];
  for (const [index, kind] of kinds.entries()) {
    const scan = dispense('lost', kind);
    for (const _ of [1, 2]) await expect(post(proxy, scan)).rejects.toMatchObject({ code: 'ECONNRESET' });
    const { status, answer } = await post(server, scan);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      outcome: 'suppressed',
      of: { facility_uuid: 'lost', line: index + 1 },
      reason: index === 0 ? 'same_scan_id' : 'same_content',
      gap_ms: 0,
    });
    const [line] = (await ledgerLines(server, 'lost')).slice(-1);
    expect(line).toMatchObject({ entry_id: answer.of?.id, lot_number: kind.lot_number });
  }
  expect(proxy.swallowed).toBe(4);
  expect(await ledgerLines(server, 'lost')).toHaveLength(2);
  expect((await journalRecords(server, 'lost')).map(({ outcome }) => outcome)).toEqual([
    'committed',
    'suppressed',
    'suppressed',
    'committed',
    'suppressed',
    'suppressed',
  ]);
  await proxy.close();
});

test('a batch whose answers were lost is answered with its entries when it is sent again', async () => {
  const server = await startServer();
  const proxy = await swallowingProxy(server);
  const scans = Array.from({ length: 100 }, (_, index) => dispense('lost-batch', { serial_number: `S${index}` }));
  await expect(post(proxy, scans)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(postLines(proxy, scans)).rejects.toMatchObject({ code: 'ECONNRESET' });
  const { status, answers } = await post(server, scans);
  expect(status).toBe(200);
  const entries = (await ledgerLines(server, 'lost-batch')).map(({ entry_id }) => entry_id);
  expect(answers.map(({ of }) => of?.id)).toEqual(entries);
  await proxy.close();
});
