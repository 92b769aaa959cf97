import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { schemaSql } from '../../../src/ledger/sqlite-schema.ts';
import { fieldsOfInterface } from './interface-fields.ts';
import { pageAt, tableUnder } from './markdown.ts';

const page = pageAt('docs/reference/records.md');
const database = new Database(':memory:');
database.exec(schemaSql);
afterAll(() => {
  database.close();
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").pluck().all() as string[];

describe('docs/reference/records.md', () => {
  it.each(tables)('lists the columns of the table %s', (table) => {
    const columns = database.pragma(`table_info(${table})`) as Column[];
    const expected = columns.map(({ name, type, notnull, pk }) => ({
      Column: name,
      Type: notnull || pk ? type : `${type} or null`,
    }));
    const listed = tableUnder(page, table).map(({ Column, Type }) => ({ Column, Type }));
    expect(listed).toEqual(expected);
  });

  it.each([
    ['A journal record', 'src/ledger/journal-record.ts', 'JournalRecord'],
    ['The rejection in a record', 'src/ledger/journal-record.ts', 'RecordedRejection'],
    ['The accepted breaks in a record', 'src/ledger/journal-record.ts', 'AcceptedBreaks'],
    ['The release in a record', 'src/ledger/journal-record.ts', 'Resolves'],
    ['The listing in a record', 'src/scan/listing.ts', 'Listing'],
    ['The scan in a record', 'src/scan/recorded-scan.ts', 'RecordedScan'],
    ['The fingerprint', 'src/identity/movement.ts', 'Movement'],
  ])('lists the fields: %s', (heading, path, name) => {
    const expected = fieldsOfInterface(path, name).map((field) => ({
      Field: field.name,
      Always: field.isOptional ? 'no' : 'yes',
    }));
    const listed = tableUnder(page, heading).map(({ Field, Always }) => ({ Field, Always }));
    expect(listed).toEqual(expected);
    expect(listed.length).toBeGreaterThan(2);
  });

  it('names every trigger that guards the tables', () => {
    const triggers = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
      .pluck()
      .all() as string[];
    const listed = tableUnder(page, 'Triggers').flatMap((row) =>
      (row['Trigger'] ?? '').split(', ').map((name) => name.replaceAll('`', '')),
    );
    expect(listed.sort()).toEqual(triggers);
  });
});
