import { beforeAll, expect, test } from 'vitest';
import { get, getJson, journalRecords, ledgerLines, post, type ScanAnswer, send } from '../support/http-client.ts';
import { dispense, recently, uuid } from '../support/http-client-scans.ts';
import { type ServerProcess, startServer } from '../support/server.ts';
import { ledgerFile } from '../support/server-ledger.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

interface Page {
  readonly items: readonly { readonly facility_uuid: string; readonly line?: number; readonly seq?: number }[];
  readonly next: string;
}

/** Follows a cursor until everything has been given and nothing more is being written. */
async function follow(path: string, isOver: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  for (let after = '0'; ; ) {
    const over = isOver();
    const page = await getJson<Page>(server, `${path}after=${after}&limit=7`);
    seen.push(...page.items.map((item) => `${item.facility_uuid} ${item.line ?? item.seq}`));
    after = page.next;
    if (over && page.items.length === 0) return seen;
  }
}

test('cursors over ledger and journal give each item once and in order, while others write', async () => {
  let over = false;
  const facilities = ['cursor-a', 'cursor-b', 'cursor-c'];
  const writing = Promise.all(
    facilities.map(async (facility) => {
      for (let index = 0; index < 150; index += 1) {
        await post(server, dispense(facility, { serial_number: `S${index}`, quantity: index % 10 === 0 ? 0 : 1 }));
      }
    }),
  ).then(() => {
    over = true;
  });
  const following = [
    follow('/v1/ledger?', () => over),
    follow('/v1/journal?', () => over),
    follow('/v1/journal?facility_uuid=cursor-b&', () => over),
  ];
  const [lines = [], records = [], ofOne = []] = await Promise.all(following);
  await writing;
  const numbered = (facility: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${facility} ${index + 1}`);
  for (const facility of facilities) {
    expect(lines.filter((item) => item.startsWith(facility))).toEqual(numbered(facility, 135));
    expect(records.filter((item) => item.startsWith(facility))).toEqual(numbered(facility, 150));
  }
  expect(ofOne).toEqual(numbered('cursor-b', 150));
});

test('a cursor that has come to the end stays there until something is written', async () => {
  await post(server, dispense('end'));
  const { next } = await getJson<Page>(server, '/v1/ledger?facility_uuid=end');
  expect(await getJson<Page>(server, `/v1/ledger?facility_uuid=end&after=${next}`)).toEqual({ items: [], next });
  await post(server, dispense('end', { lot_number: 'B' }));
  const { items } = await getJson<Page>(server, `/v1/ledger?facility_uuid=end&after=${next}`);
  expect(items.map(({ line }) => line)).toEqual([2]);
});

test.each([
  'limit=0',
  'limit=1001',
  'limit=-1',
  'limit=many',
  'limit=1.5',
  'after=-1',
  'after=x',
  'limt=5',
  'limit=5&limit=6',
  'facility_uuid=',
])('the query %s is refused with 400, and nothing is made of it', async (query) => {
  for (const path of ['/v1/ledger', '/v1/journal']) {
    const { status, answer } = await get(server, `${path}?${query}`);
    expect([status, answer.code]).toEqual([400, 'SG_REQUEST_INVALID']);
  }
});

test('a ledger line holds the movement, and names the record that committed it', async () => {
  const { answer } = await post(
    server,
    dispense('line', { scan_uuid: 'trigger-1', quantity: '2.50', unit: 'ML', actor: 'rph-7' }),
  );
  const [line] = await ledgerLines(server, 'line');
  expect(line).toMatchObject({
    facility_uuid: 'line',
    line: 1,
    entry_id: answer.entry?.id,
    scanner_id: 'SCN-04',
    scan_uuid: 'trigger-1',
    claim_key: answer.claim_key,
    occurred_at: recently,
    window_ms: 3_000,
    ndc11: '00093721410',
    lot_number: 'A1207',
    quantity: '2.5',
    unit: 'ML',
    scan_type: 'dispense',
    delta: '-2.5',
    actor: 'rph-7',
    reverses: null,
    journal_seq: 1,
  });
});

test('a pick is every transmission of one physical scan, under the claim key of each of its answers', async () => {
  const sent: ScanAnswer[] = [];
  for (const [scan_uuid, later] of [
    ['trigger-1', 0],
    ['trigger-2', 700],
    ['trigger-1', 9_000],
    [undefined, 2_999],
  ] as const) {
    sent.push((await post(server, dispense('pick', { scan_uuid, captured_at: recently + later }))).answer);
  }
  const [first] = sent;
  expect(new Set(sent.map(({ claim_key }) => claim_key)).size).toBe(1);
  const key = first?.claim_key ?? '';
  for (const written of [key, encodeURIComponent(key)]) {
    const pick = await getJson<{ claim_key: string; records: Record<string, unknown>[] }>(server, `/v1/picks/${written}`);
    expect(pick.claim_key).toBe(key);
    expect(pick.records.map(({ outcome, gap_ms }) => [outcome, gap_ms])).toEqual([
      ['committed', undefined],
      ['suppressed', 700],
      ['suppressed', 9_000],
      ['suppressed', 2_999],
    ]);
    expect(pick.records.slice(1).map(({ of }) => of)).toEqual([first?.entry, first?.entry, first?.entry]);
  }
});

test('a claim key that nobody knows, an address that is none and a method that is none are 404, as problems', async () => {
  for (const path of ['/v1/picks/scan:idem:0', '/v1/scan', '/', '/v1/ledger/1']) {
    const { status, headers, answer } = await get(server, path);
    expect([path, status, answer.code]).toEqual([path, 404, 'SG_NOT_FOUND']);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  }
  expect((await get(server, '/v1/scans')).status).toBe(404);
  expect((await send(server, '/v1/ledger', '', { method: 'DELETE' })).status).toBe(404);
  const { status, answer } = await get(server, '/v1/picks/%zz');
  expect([status, answer.code]).toEqual([400, 'SG_REQUEST_INVALID']);
});

test('health says that it lives and is ready, how large the ledger is and when it was written', async () => {
  const before = Date.now();
  await post(server, dispense('health'));
  const { status, answer } = await get(server, '/v1/health');
  expect(status).toBe(200);
  expect(answer).toMatchObject({
    live: true,
    ready: true,
    stopping: false,
    mode: 'embedded',
    queue_depth: 0,
    last_failure: null,
  });
  const ledger = answer['ledger'] as { kind: string; path: string; bytes: number; committed_at: number };
  expect(ledger).toMatchObject({ kind: 'sqlite', path: ledgerFile(server.data) });
  expect(ledger.bytes).toBeGreaterThan(4_096);
  expect(ledger.committed_at).toBeGreaterThanOrEqual(before);
  expect(ledger.committed_at).toBeLessThanOrEqual(Date.now());
});

test('ids of entries and of what is in quarantine look alike, and are never used twice', async () => {
  const lines = await ledgerLines(server);
  const rejected = (await journalRecords(server)).flatMap(({ rejection }) => rejection?.quarantine_id ?? []);
  const ids = [...lines.map(({ entry_id }) => entry_id), ...rejected];
  expect(ids.length).toBeGreaterThan(400);
  expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
