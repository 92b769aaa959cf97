import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { getJson, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { type Ended, type ServerProcess, scangate, startServer } from '../support/server.ts';
import { ledgerFile } from '../support/server-ledger.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
  const scans = Array.from({ length: 50 }, (_, index) =>
    dispense(index % 2 === 0 ? 'even' : 'odd', { serial_number: `S${index}` }),
  );
  await post(server, [...scans, ...scans.slice(0, 10), dispense('odd', { quantity: 0 })]);
});

function verify(...args: readonly string[]): Promise<Ended> {
  return scangate(['verify', '--data', server.data, ...args]);
}

/** Changes what cannot be changed, with the means of somebody who has the file. */
function tamper(sql: string): void {
  const database = new Database(ledgerFile(server.data));
  database.pragma('foreign_keys = OFF');
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(trigger.sql);
  database.close();
}

interface Report {
  readonly facilities: readonly { facility_uuid: string; records: number; lines: number; head_hash: string }[];
  readonly breaks: readonly { facility_uuid: string; at: string; message: string }[];
}

async function report(): Promise<{ code: number | null; report: Report }> {
  const { code, stdout } = await verify('--json');
  return { code, report: JSON.parse(stdout) as Report };
}

test('a ledger in which everything holds is verified with exit code 0, beside its running server', async () => {
  const { code, stdout, stderr } = await verify();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Everything holds.');
  const { report: found } = await report();
  expect(found.facilities).toEqual([
    { facility_uuid: 'even', records: 30, lines: 25, head_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { facility_uuid: 'odd', records: 31, lines: 25, head_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
});

test('the head hash is what anybody computes from the journal that the server gives out', async () => {
  const { report: found } = await report();
  for (const { facility_uuid, head_hash } of found.facilities) {
    const { items } = await getJson<{ items: Record<string, unknown>[] }>(
      server,
      `/v1/journal?facility_uuid=${facility_uuid}&limit=1000`,
    );
    const chained = items.reduce(
      (hash, record) => createHash('sha256').update(hash).update(canonical(record)).digest('hex'),
      '0'.repeat(64),
    );
    expect(chained).toBe(head_hash);
  }
});

test('after a kill of the server everything still holds', async () => {
  server.kill('SIGKILL');
  await server.ended;
  expect(await verify()).toMatchObject({ code: 0, stderr: '' });
});

test('a record that was changed, a line that was changed and one that is gone are each named, with exit code 1', async () => {
  tamper(`
    UPDATE journal_records SET record = replace(record, '"quantity":"1"', '"quantity":"9"') WHERE facility_uuid = 'even' AND seq = 7;
    UPDATE ledger_lines SET quantity = '2', delta = '-2' WHERE facility_uuid = 'odd' AND line = 3;
    DELETE FROM ledger_lines WHERE facility_uuid = 'odd' AND line = 20;`);
  const { code, stdout, stderr } = await verify();
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(
    /^\d+ break\(s\)\. The first: even, record 7: The hash of record 7 does not follow from the record before it and its text\.$/m,
  );
  const { code: codeOfJson, report: found } = await report();
  expect(codeOfJson).toBe(1);
  const named = found.breaks.map(({ facility_uuid, at, message }) => `${facility_uuid}, ${at}: ${message}`);
  expect(named).toEqual(
    expect.arrayContaining([
      'even, record 7: The hash of record 7 does not follow from the record before it and its text.',
      'even, record 7: Line 7 is not what its record 7 says.',
      'odd, record 3: Line 3 is not what its record 3 says.',
      'odd, record 20: Record 20 is committed, and has no line.',
      'odd, line 21: Line 21 follows line 19: numbers are missing.',
    ]),
  );
  expect(named[0]).toContain('even, record 7: The hash of record 7');
});

/** RFC 8785, for records that hold neither fractions nor text outside of ASCII. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}
