import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type Answered, get, journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense, uuid } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer } from '../support/server.ts';
import { quarantinedBytes } from '../support/server-ledger.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ args: ['--batch-items-max', '3', '--body-bytes-max', '100000'] });
});

const scan = JSON.stringify(dispense('refused'));
const array = (items: number): string => `[${Array.from({ length: items }, () => scan).join(',')}]`;
const ndjson = { 'content-type': 'application/x-ndjson' };

interface Refusal {
  readonly what: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** What is kept, where it is not the whole body. */
  readonly kept?: Buffer;
}

const refusals: readonly Refusal[] = [
  {
    what: 'text that is not JSON',
    body: '{"facility_uuid": "refused", "actor": J. Doe}',
    status: 400,
    code: 'SG_JSON_INVALID',
    message: "This is not JSON: Unexpected token 'J'.",
  },
  {
    what: 'JSON that is cut short',
    body: scan.slice(0, -1),
    status: 400,
    code: 'SG_JSON_INVALID',
    message: `This is not JSON: Expected ',' or '}' after property value in JSON at position ${scan.length - 1}.`,
  },
  {
    what: 'two scans without an array',
    body: `${scan}${scan}`,
    status: 400,
    code: 'SG_JSON_INVALID',
    message: `This is not JSON: Unexpected non-whitespace character after JSON at position ${scan.length}.`,
  },
  {
    what: 'bytes that are not UTF-8',
    body: Buffer.from(scan.replace('A1207', 'A\u00e9'), 'latin1'),
    status: 400,
    code: 'SG_JSON_INVALID',
    message: 'The body is not UTF-8, so it is not JSON.',
  },
  {
    what: 'a NUL between the bytes',
    body: Buffer.from(scan.replace('A1207', 'A\0')),
    status: 400,
    code: 'SG_JSON_INVALID',
    message: `This is not JSON: Bad control character in string literal in JSON at position ${scan.indexOf('A1207') + 1}.`,
  },
  { what: 'nothing', body: '', status: 400, code: 'SG_BODY_EMPTY', message: 'The body is empty; send a scan.' },
  { what: 'an empty array', body: ' [ ] ', status: 400, code: 'SG_BODY_EMPTY', message: 'The array is empty; send scans.' },
  {
    what: 'NDJSON without a line',
    body: '\r\n \n',
    headers: ndjson,
    status: 400,
    code: 'SG_BODY_EMPTY',
    message: 'The body is empty; send scans.',
    kept: Buffer.alloc(0),
  },
  {
    what: 'brackets that are nested a thousand times',
    body: '['.repeat(1_000) + ']'.repeat(1_000),
    status: 400,
    code: 'SG_ITEM_TOO_DEEP',
    message: 'JSON is nested deeper than 8 levels; a scan is flat.',
  },
  {
    what: 'an array of too many scans',
    body: array(4),
    status: 413,
    code: 'SG_BATCH_TOO_LARGE',
    message: 'The array holds 4 scans; at most 3 are taken at once.',
  },
  {
    what: 'a body that is too large',
    body: ' '.repeat(100_001),
    status: 413,
    code: 'SG_BODY_TOO_LARGE',
    message: 'The body is larger than 100000 bytes.',
    kept: Buffer.from(' '.repeat(100_000)),
  },
  {
    what: 'a media type that is neither JSON nor NDJSON',
    body: scan,
    headers: { 'content-type': 'text/csv' },
    status: 415,
    code: 'SG_MEDIA_TYPE',
    message: 'The content type is "text/csv"; send application/json or application/x-ndjson.',
  },
  {
    what: 'a missing media type',
    body: scan,
    headers: { 'content-type': '' },
    status: 415,
    code: 'SG_MEDIA_TYPE',
    message: 'The content type is missing; send application/json or application/x-ndjson.',
  },
  {
    what: 'one Idempotency-Key for an array',
    body: array(2),
    headers: { 'idempotency-key': 'k' },
    status: 400,
    code: 'SG_REQUEST_INVALID',
    message: 'Idempotency-Key names one scan; in an array each has its own scan_uuid.',
  },
  {
    what: 'one Idempotency-Key for NDJSON',
    body: `${scan}\n`,
    headers: { ...ndjson, 'idempotency-key': 'k' },
    status: 400,
    code: 'SG_REQUEST_INVALID',
    message: 'Idempotency-Key names one scan; in NDJSON each line has its own scan_uuid.',
  },
];

test.each(refusals)(
  '$what is refused as a problem, kept in quarantine and journaled, and nothing else happens',
  async (refusal) => {
    const { body, headers = {}, status, code, message, kept = Buffer.from(body) } = refusal;
    const { answer, ...answered } = await post(server, body, { headers });
    expect([answered.status, answer.code]).toEqual([status, code]);
    expect(answer).toMatchObject({ outcome: 'rejected', message, quarantine_id: expect.stringMatching(uuid) });
    if (headers !== ndjson) expectProblem(answered, code);
    const id = answer.quarantine_id ?? '';
    const record = (await journalRecords(server, '-')).at(-1);
    expect(record).toMatchObject({
      outcome: 'rejected',
      transport: 'http',
      rejection: { code, message, quarantine_id: id, raw_bytes: kept.length, raw_sha256: sha256(kept) },
    });
    expect(quarantinedBytes(server.data, id)).toEqual(kept);
    expect(await ledgerLines(server)).toEqual([]);
    expect((await get(server, '/v1/health')).status).toBe(200);
  },
);

test('after all of that the server takes a scan, and everything in its ledger holds', async () => {
  expect((await post(server, scan)).status).toBe(201);
  const verified = await scangate(['verify', '--json', '--data', server.data]);
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(verified.stdout)).toMatchObject({
    facilities: [
      { facility_uuid: '-', records: refusals.length, lines: 0 },
      { facility_uuid: 'refused', records: 1, lines: 1 },
    ],
    breaks: [],
  });
});

/** RFC 9457. */
function expectProblem({ text, headers, status }: Omit<Answered, 'answer'>, code: string): void {
  const problem = JSON.parse(text) as Record<string, unknown>;
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(problem).toMatchObject({ type: `urn:scangate:problem:${code}`, status, title: expect.any(String) });
  expect(problem['detail']).toBe(problem['message']);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
