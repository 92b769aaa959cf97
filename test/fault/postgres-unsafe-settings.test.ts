import { afterEach, beforeAll, expect, test } from 'vitest';
import { inWords } from '../../src/testing/decision-words.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { type Books, database, startBooks } from '../support/postgres-books.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/server.ts';

let server: PostgresServer;
let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ server, newBooks } = await startBooks());
});

afterEach(async () => {
  await set('fsync', 'on');
  await set('synchronous_commit', 'on');
});

async function set(name: string, value: string): Promise<void> {
  await server.query('postgres', `ALTER SYSTEM SET ${name} = '${value}'`, 'SELECT pg_reload_conf()');
  await until(async () => (await server.query('postgres', `SHOW ${name}`))[0]?.[name] === value || undefined);
}

const refused = (setting: string) =>
  expect.objectContaining({
    code: 'SG_DATABASE_UNSAFE',
    message: expect.stringMatching(
      new RegExp(
        `^The database ledger at 127\\.0\\.0\\.1:\\d+ has ${setting}=off and may lose what it has committed\\. Set it to on, or allow an unsafe ledger\\.$`,
      ),
    ),
  });

test.each(['fsync', 'synchronous_commit'])(
  'a server with %s=off refuses to be a ledger, unless that is allowed',
  async (setting) => {
    const books = await newBooks();
    await set(setting, 'off');
    await expect(books.open()).rejects.toEqual(refused(setting));
    const ledger = await books.open({ allowUnsafeLedger: true });
    expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
  },
);

test.each(['fsync', 'synchronous_commit'])(
  'a server that is set to %s=off while it is used acknowledges nothing more',
  async (setting) => {
    const books = await newBooks();
    const ledger = await books.open();
    await ledger.append([scanAt(0)]);
    await set(setting, 'off');
    await expect(ledger.append([scanAt(10_000)])).rejects.toMatchObject({
      code: 'SG_LEDGER_FAILED',
      message: expect.stringContaining(`${setting}=off`),
    });
    await set(setting, 'on');
    expect((await ledger.append([scanAt(10_000)])).map(inWords)).toEqual(['committed 2']);
  },
);

test('a role that is set to commit without waiting is refused as well', async () => {
  const books = await newBooks();
  await server.query(database, 'ALTER ROLE gate SET synchronous_commit = off');
  await expect(books.open()).rejects.toEqual(refused('synchronous_commit'));
  await server.query(database, 'ALTER ROLE gate RESET synchronous_commit');
});

test.each([
  ['connectionsMax', 0],
  ['connectMs', -1],
  ['commitMs', Number.NaN],
  ['lockMs', 1.5],
])('a bound that bounds nothing is refused: %s = %d', async (name, value) => {
  const books = await newBooks();
  await expect(books.open({ [name]: value })).rejects.toMatchObject({
    code: 'SG_CONFIG_INVALID',
    message: `${name} is ${value}; it has to be a whole number above 0.`,
  });
});
