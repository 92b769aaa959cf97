import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { Gate } from '../../../../src/gate/gate.ts';
import { Quarantine } from '../../../../src/gate/quarantine.ts';
import { defaultScannerClass } from '../../../../src/identity/scanner-class.ts';
import { createHttpServer, type HttpOptions } from '../../../../src/ingest/http/server.ts';
import { MemoryLedger } from '../../../../src/ledger/memory-ledger.ts';
import { defaultTimeRules } from '../../../../src/scan/occurred-at.ts';

function options(changes: Partial<HttpOptions> = {}): HttpOptions {
  const ledger = new MemoryLedger();
  return {
    gate: new Gate({ ledger, policy: () => defaultScannerClass }),
    reader: ledger,
    quarantine: new Quarantine({ ledger, policy: () => defaultScannerClass }),
    clock: systemClock,
    timeRules: defaultTimeRules,
    limits: {
      bodyBytesMax: 1_000,
      streamBytesMax: 1_000,
      itemBytesMax: 500,
      batchItemsMax: 10,
      inFlightMax: 2,
      bodyIdleMsMax: 1_000,
    },
    stillMsMax: 1_000,
    health: async () => ({ live: true, ready: true }),
    metrics: async () => ({ contentType: 'text/plain', text: '' }),
    failed: () => undefined,
    ...changes,
  };
}

test('every registered route is on the OpenAPI page', async () => {
  const server = await createHttpServer(options());
  const routes: string[] = [];
  server.addHook('onRoute', () => undefined);
  await server.ready();
  const parents: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part, methods] = /^(.*?[└├]── )(\/[^ ]*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === undefined) continue;
    const depth = indent.length / 4 - 1;
    const path = (parents[depth - 1] ?? '') + part;
    parents[depth] = path;
    if (methods === undefined) continue;
    for (const method of methods.split(', ')) routes.push(`${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
  }
  expect(routes.length).toBe(11);
  const page = await server.inject('/v1/openapi.json');
  const { paths = {} } = page.json<{ paths?: Record<string, Record<string, unknown>> }>();
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(documented.toSorted()).toEqual(routes.toSorted());
  await server.close();
});

test('a defect is told to the server and not to the client', async () => {
  const told: unknown[] = [];
  const defect = new Error('secret');
  const health = () => Promise.reject(defect);
  const server = await createHttpServer(options({ health, failed: (error) => told.push(error) }));
  const answered = await server.inject({ method: 'GET', url: '/v1/health' });
  expect(answered.statusCode).toBe(500);
  expect(answered.json()).toMatchObject({
    code: 'SG_INTERNAL',
    detail: 'ScanGate failed. Nothing was acknowledged; send it again.',
  });
  expect(answered.body).not.toContain('secret');
  expect(told).toEqual([defect]);
  await server.close();
});

test('the status of health is that of its readiness', async () => {
  const server = await createHttpServer(options({ health: async () => ({ live: true, ready: false, why: 'full' }) }));
  const answered = await server.inject({ method: 'GET', url: '/v1/health' });
  expect([answered.statusCode, answered.json()]).toEqual([503, { live: true, ready: false, why: 'full' }]);
  await server.close();
});
