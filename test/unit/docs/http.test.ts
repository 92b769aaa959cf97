import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../src/base/errors.ts';
import { Gate } from '../../../src/gate/gate.ts';
import { Quarantine } from '../../../src/gate/quarantine.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { answerOf } from '../../../src/ingest/http/answer.ts';
import { createHttpServer, idleMsMax } from '../../../src/ingest/http/server.ts';
import { MemoryLedger } from '../../../src/ledger/memory-ledger.ts';
import { defaultTimeRules } from '../../../src/scan/occurred-at.ts';
import { textLengthMax, wireFields, wireScanSchema } from '../../../src/scan/wire-schema.ts';
import { Health } from '../../../src/service/health.ts';
import { rejectionAt } from '../../../src/testing/wire-scans.ts';
import { fixedClock, wireScan } from '../../support/scans.ts';
import { pageAt, tableUnder } from './markdown.ts';

const page = pageAt('docs/reference/http.md');
const clock = fixedClock();
const ledger = new MemoryLedger(undefined, clock);
const gate = new Gate({ ledger, policy: () => defaultScannerClass });
const health = new Health(clock);
let server: FastifyInstance;
let openApi: OpenApi;

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

beforeAll(async () => {
  const limits = {
    bodyBytesMax: 4_096,
    streamBytesMax: 4_096,
    itemBytesMax: 2_048,
    batchItemsMax: 10,
    inFlightMax: 10,
    bodyIdleMsMax: idleMsMax,
  };
  server = await createHttpServer({
    gate,
    reader: ledger,
    quarantine: new Quarantine({ ledger, policy: () => defaultScannerClass }),
    clock,
    timeRules: defaultTimeRules,
    limits,
    stillMsMax: 60_000,
    health: () => health.report(gate, ledger),
    metrics: async () => ({ contentType: 'text/plain', text: '' }),
    failed: (error) => {
      throw error;
    },
  });
  openApi = (await server.inject('/v1/openapi.json')).json<OpenApi>();
});

afterAll(() => server.close());

type Body = Readonly<Record<string, unknown>>;

async function post(scans: unknown): Promise<Body> {
  const response = await server.inject({
    method: 'POST',
    url: '/v1/scans',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(scans),
  });
  return response.json<Body>();
}

/** An answer of each outcome, with every field that it can have, as it stands in a batch and as the answer to a single scan. */
async function answers(outcome: string): Promise<{ inBatch: Body; alone: Body }> {
  const scan = wireScan({ scan_uuid: `for-${outcome}`, lot_number: outcome, captured_at: '2025-11-03T21:45:40Z' });
  const sent = { committed: scan, suppressed: scan, conflict: { ...scan, quantity: 2 }, rejected: { ...scan, quantity: 'x' } }[
    outcome
  ];
  if (sent === undefined) {
    const decision = { outcome: 'unavailable', code: 'SG_QUEUE_FULL', message: 'A sentence.' } as const;
    const { body } = answerOf({ transmission: rejectionAt(0, { scan_uuid: 'u', quantity: 'x' }), decision });
    return { inBatch: body, alone: body };
  }
  if (outcome !== 'committed' && outcome !== 'rejected') await post(scan);
  const batch = (await post([sent])) as unknown as Body[];
  const again = outcome === 'committed' ? { ...scan, scan_uuid: 'another', lot_number: 'another' } : sent;
  const alone = await post(again);
  return { inBatch: batch[0] ?? {}, alone };
}

const problemFields = ['type', 'title', 'status', 'detail'];

describe('docs/reference/http.md', () => {
  it('lists the routes of the server', () => {
    const expected = Object.entries(openApi.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { summary }]) => ({
        Route: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        'What it is': summary,
      })),
    );
    expect(tableUnder(page, 'Routes')).toEqual(expected);
    expect(expected.length).toBeGreaterThan(4);
  });

  it('lists the fields of a scan, their JSON types, and what the schema says of them', () => {
    const required: readonly string[] = wireScanSchema.required;
    const expected = wireFields.map((field) => {
      const {
        type,
        enum: words,
        anyOf,
        description,
      } = wireScanSchema.properties[field] as unknown as {
        type?: string;
        enum?: readonly string[];
        anyOf?: readonly { type: string }[];
        description: string;
      };
      return {
        Field: field,
        JSON: words?.join(', ') ?? anyOf?.map((one) => one.type).join(' or ') ?? type,
        Needed: required.includes(field) ? 'yes' : 'no',
        'What it is': description,
      };
    });
    expect(tableUnder(page, 'The fields of a scan')).toEqual(expected);
  });

  it('says how many characters a text may have', () => {
    const descriptions = new Map(tableUnder(page, 'The fields of a scan').map((row) => [row['Field'], row['What it is']]));
    for (const [field, lengthMax] of Object.entries(textLengthMax)) {
      const said = descriptions.get(field) ?? '';
      if (/\d+ (?:to \d+ )?characters/.test(said)) expect(said).toContain(`1 to ${lengthMax} characters`);
    }
  });

  it.each(['committed', 'suppressed', 'conflict', 'rejected', 'unavailable'])(
    'lists the fields of the answer %s',
    async (outcome) => {
      const { inBatch, alone } = await answers(outcome);
      expect(inBatch['outcome']).toBe(outcome);
      expect(alone['outcome']).toBe(outcome);
      const listed = tableUnder(page, outcome).map((row) => row['Field']);
      expect(listed).toEqual(Object.keys(inBatch));
      const more = Object.keys(alone).filter((field) => !Object.hasOwn(inBatch, field));
      expect(more).toEqual(outcome === 'conflict' || outcome === 'rejected' ? problemFields : []);
    },
  );

  it('lists what a problem adds to a single answer', () => {
    expect(tableUnder(page, 'Problems').map((row) => row['Field'])).toEqual([...problemFields, 'code', 'message']);
  });

  it('lists every status that is answered', () => {
    const ofCodes = (Object.entries(errorCodes) as [ErrorCode, { kind: string }][])
      .filter(([, { kind }]) => kind === 'scan' || kind === 'request')
      .map(([code]) => {
        const decision = { outcome: 'rejected', quarantineId: '', rejection: { code, message: '' } } as const;
        return String(answerOf({ transmission: rejectionAt(0), decision }).status);
      });
    const ofPage = Object.keys(openApi.paths['/v1/scans']?.['post']?.responses ?? {});
    const expected = new Set([...ofPage, ...ofCodes, '404', '500']);
    expect(tableUnder(page, 'Statuses').map((row) => row['Status'])).toEqual([...expected].sort());
  });

  it.each([
    ['Headers', '/v1/scans', 'post'],
    ['GET /v1/ledger and GET /v1/journal', '/v1/ledger', 'get'],
    ['GET /v1/ledger and GET /v1/journal', '/v1/journal', 'get'],
    ['GET /v1/picks/:key', '/v1/picks/{key}', 'get'],
  ])('lists parameters: %s of %s', (heading, path, method) => {
    const parameters = openApi.paths[path]?.[method]?.parameters ?? [];
    const listed = tableUnder(page, heading).map((row) => ({ name: row['Parameter'], said: row['What it is'] }));
    expect(listed).toEqual(parameters.map(({ name, description }) => ({ name, said: description })));
    expect(listed.length).toBeGreaterThan(0);
  });

  it('lists the fields of the health report', async () => {
    const report = await health.report(gate, ledger);
    expect(tableUnder(page, 'GET /v1/health').map((row) => row['Field'])).toEqual(Object.keys(report));
  });

  it('says how long half of a request is waited for', () => {
    expect(page.text).toContain(`${idleMsMax / 1_000} s for the headers`);
  });
});
