import { beforeAll, expect, test } from 'vitest';
import { journalRecords, ledgerLines, post, postLines, type ScanAnswer } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer } from '../support/server.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

const outcomes = (answers: readonly ScanAnswer[]): string[] => answers.map(({ outcome }) => outcome);

/** Sends items as an array and as NDJSON. */
const forms = [
  { form: 'an array', contentType: 'application/json; charset=utf-8', postAll: post },
  { form: 'NDJSON', contentType: 'application/x-ndjson; charset=utf-8', postAll: postLines },
] as const;

test.each(forms)(
  '$form is answered in its order, with the status that all its answers have',
  async ({ form, contentType, postAll }) => {
    const scans = ['S3', 'S1', 'S2'].map((serial_number) =>
      dispense(`order ${form}`, { serial_number, scan_uuid: serial_number }),
    );
    const first = await postAll(server, scans);
    expect(first.status).toBe(201);
    expect(first.headers['content-type']).toBe(contentType);
    expect(first.answers.map(({ scan_uuid, entry }) => [scan_uuid, entry?.line])).toEqual([
      ['S3', 1],
      ['S1', 2],
      ['S2', 3],
    ]);
    const again = await postAll(server, scans);
    expect(again.status).toBe(200);
    expect(again.answers.map(({ of }) => of)).toEqual(first.answers.map(({ entry }) => entry));
    const refused = await postAll(server, [
      dispense(`order ${form}`, { quantity: 0 }),
      dispense(`order ${form}`, { unit: 'BOX' }),
    ]);
    expect(refused.status).toBe(422);
    expect(refused.answers.map(({ code }) => code)).toEqual(['SG_QUANTITY_RANGE', 'SG_FIELD_VALUE']);
  },
);

test.each(forms)('in $form one scan that is refused does not touch its neighbours', async ({ form, postAll }) => {
  const facility = `neighbours ${form}`;
  const serials = Array.from({ length: 100 }, (_, index) => `S${index}`);
  const bad = [{ lot_number: 'A|B' }, { quantity: 'many' }, { captured_at: 'yesterday' }, { colour: 'blue' }, { ndc: 5 }];
  const scans = serials.map((serial_number, index) =>
    dispense(facility, { serial_number, ...(index % 20 === 7 && bad[(index - 7) / 20]) }),
  );
  const { status, answers } = await postAll(server, scans);
  expect(status).toBe(207);
  expect(answers).toHaveLength(100);
  const refused = answers.flatMap(({ outcome, code }, index) => (outcome === 'committed' ? [] : [[index, outcome, code]]));
  expect(refused).toEqual([
    [7, 'rejected', 'SG_FIELD_CHARACTER'],
    [27, 'rejected', 'SG_QUANTITY_INVALID'],
    [47, 'rejected', 'SG_TIME_INVALID'],
    [67, 'rejected', 'SG_FIELD_UNKNOWN'],
    [87, 'rejected', 'SG_FIELD_TYPE'],
  ]);
  expect(await ledgerLines(server, facility)).toHaveLength(95);
  expect(await journalRecords(server, facility)).toHaveLength(100);
});

test.each(forms)('duplicates within $form obey the same rules as between requests', async ({ form, postAll }) => {
  const facility = `within ${form}`;
  const a = dispense(facility, { scan_uuid: 'A', lot_number: 'A' });
  const b = dispense(facility, { scan_uuid: 'B', lot_number: 'B' });
  const aSoonAfter = dispense(facility, { scan_uuid: 'A2', lot_number: 'A', captured_at: recently + 100 });
  const aOtherwise = dispense(facility, { scan_uuid: 'A', lot_number: 'A', quantity: 9 });
  const { status, answers } = await postAll(server, [a, b, a, aSoonAfter, aOtherwise]);
  expect(status).toBe(207);
  expect(outcomes(answers)).toEqual(['committed', 'committed', 'suppressed', 'suppressed', 'conflict']);
  const [committed, , same, soonAfter, otherwise] = answers;
  expect(same).toMatchObject({ of: committed?.entry, reason: 'same_scan_id', gap_ms: 0 });
  expect(soonAfter).toMatchObject({ of: committed?.entry, reason: 'same_content', gap_ms: 100 });
  expect(otherwise).toMatchObject({ of: committed?.entry, differs: ['quantity'] });
  expect(await ledgerLines(server, facility)).toHaveLength(2);
});

test('an array that is sent again after some of it was refused commits nothing twice and loses nothing', async () => {
  const old = dispense('resent', { scan_uuid: 'old', captured_at: '2026-02-30T00:00:00Z' });
  const fresh = Array.from({ length: 99 }, (_, index) =>
    dispense('resent', { scan_uuid: `fresh-${index}`, lot_number: `L${index}` }),
  );
  const first = await post(server, [old, ...fresh]);
  expect(first.status).toBe(207);
  expect(outcomes(first.answers).filter((outcome) => outcome === 'committed')).toHaveLength(99);
  const again = await post(server, [old, ...fresh]);
  expect(outcomes(again.answers).filter((outcome) => outcome === 'suppressed')).toHaveLength(99);
  expect(again.answers[0]).toMatchObject({
    outcome: 'rejected',
    code: first.answers[0]?.code,
    message: first.answers[0]?.message,
  });
  expect(await ledgerLines(server, 'resent')).toHaveLength(99);
});

test('scan ids are one space, whether they come alone, in an array or in NDJSON', async () => {
  const scan = dispense('one-space', { scan_uuid: 'trigger-1' });
  expect((await post(server, scan)).status).toBe(201);
  expect((await post(server, [{ ...scan, captured_at: recently + 10_000 }])).status).toBe(200);
  expect((await postLines(server, [{ ...scan, captured_at: recently + 20_000 }])).status).toBe(200);
  expect(await ledgerLines(server, 'one-space')).toHaveLength(1);
});

test('an array of one scan is answered as an array', async () => {
  const { status, answers, text } = await post(server, [dispense('array-of-one')]);
  expect([status, answers.length, text[0]]).toEqual([201, 1, '[']);
});

test('lines of NDJSON may end in CR LF, be empty, lack the last line feed, and be labelled by any of its names', async () => {
  const line = (lot_number: string) => JSON.stringify(dispense('line-ends', { lot_number }));
  const body = `\n${line('A')}\r\n\r\n  \n${line('B')}\n${line('C')}`;
  for (const [index, type] of ['application/x-ndjson', 'application/ndjson; charset=utf-8', 'application/jsonl'].entries()) {
    const { status, answers } = await post(server, body, { headers: { 'content-type': type } });
    expect([status, answers.length]).toEqual([index === 0 ? 201 : 200, 3]);
  }
});

test('in NDJSON what is no scan is refused line by line, and its bytes are kept', async () => {
  const good = dispense('bad-lines');
  const { status, answers } = await postLines(server, ['{"half":', [good], '"text"', 'null', good, '[]', '[1,2]']);
  expect(status).toBe(207);
  expect(answers.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['rejected', 'SG_JSON_INVALID'],
    ['rejected', 'SG_FIELD_TYPE'],
    ['rejected', 'SG_FIELD_TYPE'],
    ['rejected', 'SG_FIELD_TYPE'],
    ['committed', undefined],
    ['rejected', 'SG_FIELD_TYPE'],
    ['rejected', 'SG_FIELD_TYPE'],
  ]);
  const ids = answers.filter(({ outcome }) => outcome === 'rejected').map(({ quarantine_id }) => quarantine_id);
  const kept = (await journalRecords(server, '-')).map(({ rejection }) => rejection?.quarantine_id);
  expect(kept).toEqual(expect.arrayContaining(ids));
});

test('what these tests have written is a ledger in which everything holds', async () => {
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});
