import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journalRecords, ledgerLines, post, postLines } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { startServer } from '../support/server.ts';
import { quarantinedBytes } from '../support/server-ledger.ts';

test('patient data is refused by its field, and its value is in no file and no line of the log', async () => {
  const server = await startServer({ args: ['--batch-items-max', '2'] });
  const secrets = Array.from({ length: 9 }, (_, index) => `Zebedee-Quux-${index}`);
  const [a, b, c, d, e, f, g, h, i] = secrets;

  const single = await post(server, dispense('patients', { scan_uuid: 'trigger-1', patient_name: a }));
  expect(single.status).toBe(422);
  expect(single.answer).toMatchObject({
    outcome: 'rejected',
    scan_uuid: 'trigger-1',
    code: 'SG_PATIENT_DATA',
    field: 'patient_name',
    message: 'The field "patient_name" looks like patient data, which ScanGate does not keep. Send an opaque reference.',
  });
  const nested = await post(server, dispense('patients', { details: [{ 'Date of Birth': b }] }));
  expect(nested.answer).toMatchObject({ status: 422, code: 'SG_PATIENT_DATA', field: 'details.0.Date of Birth' });
  const twice = await post(
    server,
    JSON.stringify(dispense('patients')).replace(/\}$/, `,"mrn":"${c}","mrn":"${d}","quantity":1.0,"quantity":2}`),
  );
  expect(twice.answer).toMatchObject({ status: 422, code: 'SG_PATIENT_DATA', field: 'mrn' });
  const large = await post(server, dispense('patients', { ssn: e, reason: 'x'.repeat(100_000) }));
  expect(large.answer).toMatchObject({ status: 422, code: 'SG_PATIENT_DATA', field: 'ssn' });
  const tooMany = await post(server, [{}, {}, { phone: f }]);
  expect(tooMany.answer).toMatchObject({ status: 422, code: 'SG_PATIENT_DATA', field: '2.phone' });
  const oneKey = await post(server, [{ email: g }], { headers: { 'idempotency-key': 'k' } });
  expect(oneKey.answer).toMatchObject({ status: 422, code: 'SG_PATIENT_DATA', field: '0.email' });
  const lines = await postLines(server, [[{ surname: h }], dispense('patients', { address: i }), dispense('patients')]);
  expect(lines.answers.map(({ code, outcome }) => code ?? outcome)).toEqual(['SG_PATIENT_DATA', 'SG_PATIENT_DATA', 'committed']);

  const records = [...(await journalRecords(server, 'patients')), ...(await journalRecords(server, '-'))];
  expect(records.filter(({ rejection }) => rejection?.redacted === true)).toHaveLength(8);
  const kept = quarantinedBytes(server.data, single.answer.quarantine_id ?? '').toString();
  expect(JSON.parse(kept)).toEqual(
    dispense('patients', { scan_uuid: 'trigger-1', patient_name: '[removed: looks like patient data]' }),
  );
  expect(await ledgerLines(server)).toHaveLength(1);

  const whileRunning = filesIn(server.data);
  expect([...whileRunning.keys()]).toEqual(expect.arrayContaining(['ledger.sqlite', 'ledger.sqlite-wal']));
  const { code, stdout, stderr } = await server.stop();
  expect(code).toBe(0);
  const places = [...whileRunning.values(), ...filesIn(server.data).values(), Buffer.from(stdout), Buffer.from(stderr)];
  expect(places.some((bytes) => bytes.includes('looks like patient data'))).toBe(true);
  for (const secret of secrets) expect(places.filter((bytes) => bytes.includes(secret))).toEqual([]);
});

function filesIn(folder: string): Map<string, Buffer> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}
