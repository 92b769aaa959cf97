import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { facilityA, facilityB } from '../../src/testing/wire-scans.ts';
import { soundBooks } from './sound-books.ts';
import { openBooks } from './sqlite-folder.ts';

/** Sound books, and what the statements make of them. */
export function openDamaged(sql: string): SqliteBooks {
  const books = openBooks();
  books.append(soundBooks);
  expect(books.audit().breaks).toEqual([]);
  const database = new Database(books.path);
  database.pragma('foreign_keys = OFF');
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  for (const name of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sql);
  database.close();
  return books;
}

export function breaksAfter(sql: string): string[] {
  const { breaks } = openDamaged(sql).audit();
  return breaks.map(({ facility_uuid, at, message }) => {
    const facility = facility_uuid === facilityA ? 'A' : facility_uuid === facilityB ? 'B' : facility_uuid;
    return `${facility}, ${at}: ${message.replace(facilityA, 'A')}`;
  });
}

export const inA = `facility_uuid = '${facilityA}'`;

/** A statement that copies a row of facility A with some of its columns changed. */
export function copy(table: string, where: string, columns: Readonly<Record<string, string>>, all: readonly string[]): string {
  return `INSERT INTO ${table} (${all.join(', ')}) SELECT ${all.map((name) => columns[name] ?? name).join(', ')} FROM ${table} WHERE ${inA} AND ${where}`;
}

export const lineColumns = [
  ...['facility_uuid', 'line', 'entry_id', 'scanner_id', 'identity', 'fingerprint', 'claim_key', 'occurred_at', 'received_at'],
  ...['window_ms', 'ndc11', 'quantity', 'unit', 'scan_type', 'delta', 'dea_schedule', 'book', 'journal_seq'],
];
