import { beforeAll, expect, test } from 'vitest';
import { get, getJson, send } from '../support/http-client.ts';
import { type ServerProcess, startServer } from '../support/server.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

let server: ServerProcess;
let page: OpenApi;

beforeAll(async () => {
  server = await startServer();
  page = await getJson<OpenApi>(server, '/v1/openapi.json');
});

test('the OpenAPI page names every route of the server, and none that it does not have', async () => {
  expect(page.openapi).toBe('3.1.0');
  const routes = Object.entries(page.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(routes.toSorted()).toEqual([
    'get /metrics',
    'get /v1/health',
    'get /v1/journal',
    'get /v1/ledger',
    'get /v1/openapi.json',
    'get /v1/picks/{key}',
    'get /v1/quarantine',
    'get /v1/quarantine/{id}',
    'post /v1/quarantine/{id}/discard',
    'post /v1/quarantine/{id}/release',
    'post /v1/scans',
  ]);
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const { text } = await send(server, path, '', { method });
    expect(text).not.toContain(`There is no ${method.toUpperCase()} `);
  }
});

test('every field of a scan on the wire is on the page, and no other is allowed', () => {
  const content = page.paths['/v1/scans']?.['post']?.requestBody?.content ?? {};
  expect(Object.keys(content)).toEqual(['application/json', 'application/x-ndjson']);
  const inJson = content['application/json']?.schema.anyOf ?? [];
  for (const schema of [inJson[0], inJson[1]?.items, content['application/x-ndjson']?.schema]) {
    expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual([
      'actor',
      'barcode',
      'barcode_base64',
      'captured_at',
      'direction',
      'expiration_date',
      'facility_uuid',
      'gtin',
      'lot_number',
      'ndc',
      'quantity',
      'reason',
      'reference',
      'scan_type',
      'scan_uuid',
      'scanner_id',
      'sent_at',
      'serial_number',
      'unit',
    ]);
    expect(schema?.required).toEqual(['facility_uuid', 'scanner_id', 'scan_type']);
    expect(schema?.additionalProperties).toBe(false);
  }
});

test('the page names every status that a post of scans is answered with, and the parameters of the other routes', () => {
  const { responses, parameters } = page.paths['/v1/scans']?.['post'] ?? { responses: {} };
  expect(Object.keys(responses)).toEqual(['200', '201', '207', '400', '408', '413', '415', '422', '503']);
  expect(parameters?.map(({ name }) => name)).toEqual(['idempotency-key']);
  for (const path of ['/v1/ledger', '/v1/journal']) {
    const names = page.paths[path]?.['get']?.parameters?.map(({ name }) => name) ?? [];
    expect(names.toSorted()).toEqual(['after', 'facility_uuid', 'limit']);
  }
  for (const methods of Object.values(page.paths)) {
    for (const { summary } of Object.values(methods)) expect(summary.length).toBeGreaterThan(5);
  }
});

test('the page is JSON, and asking for it changes nothing', async () => {
  const { status, headers, text } = await get(server, '/v1/openapi.json');
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(JSON.parse(text)).toEqual(page);
});
