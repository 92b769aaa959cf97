import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteLedger } from 'scangate/sqlite';
import { describe, expect, test } from 'vitest';
import { rejectionAt, scanAt } from '../../src/testing/wire-scans.ts';
import { openBooks, temporaryFolder } from './sqlite-folder.ts';

const pageBytes = 4_096;

/** A ledger with something in every table, closed. */
function makeLedger(scans = 100): string {
  const books = openBooks();
  const many = Array.from({ length: scans }, (_, index) => scanAt(index, { scan_uuid: `A${index}`, lot_number: `L${index}` }));
  const again = many.map((_, index) => scanAt(index, { scan_uuid: `B${index}`, lot_number: `L${index}` }));
  books.append([...many, ...again, ...many.map((_, index) => rejectionAt(index))], { key: 'a.csv', value: '1' });
  books.close();
  return books.path;
}

function damagedCopy(whole: string, damage: (path: string) => void): string {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  copyFileSync(whole, path);
  damage(path);
  return path;
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.byteLength, at);
  closeSync(file);
}

/** What is told of a damaged file: the code with which it is refused, or whether the audit finds a break. */
function toldOf(path: string, options: { check: boolean } = { check: true }): string {
  try {
    const { breaks } = openBooks(path, options).audit();
    return breaks.length === 0 ? 'nothing' : 'breaks';
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    expect(error.message).toContain(path);
    return String(error.code);
  }
}

describe('a damaged file', () => {
  test('with 4 KB overwritten in the middle is not opened, and the file is named', async () => {
    const whole = makeLedger();
    const middle = Math.floor(statSync(whole).size / pageBytes / 2) * pageBytes;
    const path = damagedCopy(whole, (copy) => overwrite(copy, middle, new Uint8Array(pageBytes).fill(0xab)));
    const sentence = new RegExp(
      `^${path} is damaged: .+ Restore a backup, or copy it and run "scangate verify" on the copy\\.$`,
      's',
    );
    expect(() => openBooks(path)).toThrow(sentence);
    await expect(SqliteLedger.open(path)).rejects.toMatchObject({
      code: 'SG_DATA_DAMAGED',
      message: expect.stringMatching(sentence),
    });
  });

  test.each([
    ['zeros', 0],
    ['ones', 0xff],
  ])('with any one page full of %s is refused, or without that check fails with a code', (_what, byte) => {
    const whole = makeLedger(30);
    const pages = statSync(whole).size / pageBytes;
    expect(pages).toBeGreaterThan(30);
    for (let page = 0; page < pages; page += 1) {
      const path = damagedCopy(whole, (copy) => overwrite(copy, page * pageBytes, new Uint8Array(pageBytes).fill(byte)));
      expect.soft(toldOf(path, { check: true }), `page ${page}`).toBe('SG_DATA_DAMAGED');
      expect.soft(toldOf(path, { check: false }), `page ${page}, unchecked`).toMatch(/^(SG_DATA_DAMAGED|breaks|nothing)$/);
    }
  });

  test('with one digit of a record changed is opened, and the audit finds it', () => {
    const whole = makeLedger();
    const at = readFileSync(whole).indexOf('"lot_number":"L57"');
    const path = damagedCopy(whole, (copy) => overwrite(copy, at, Buffer.from('"lot_number":"L58"')));
    expect(toldOf(path)).toBe('breaks');
  });

  test.each([0.5, 0.9])('cut off after %d of its pages is refused', (part) => {
    const whole = makeLedger();
    const pages = Math.floor((statSync(whole).size / pageBytes) * part);
    expect(toldOf(damagedCopy(whole, (copy) => truncateSync(copy, pages * pageBytes)))).toBe('SG_DATA_DAMAGED');
  });

  test.each([50, 100, 4_095])('cut off after %i bytes is refused', (bytes) => {
    expect(toldOf(damagedCopy(makeLedger(), (copy) => truncateSync(copy, bytes)))).toBe('SG_DATA_DAMAGED');
  });
});

test('an empty file is a new ledger, as no file would be', () => {
  const books = openBooks(damagedCopy(makeLedger(), (copy) => truncateSync(copy, 0)));
  expect(books.lines({ limit: 1 }).items).toEqual([]);
});

test('a ledger that is damaged while it is open asks for a retry and acknowledges nothing', () => {
  const path = makeLedger();
  const books = openBooks(path, { check: false });
  overwrite(path, pageBytes, new Uint8Array(statSync(path).size - pageBytes));
  expect(() => books.append([scanAt(0)])).toThrow(expect.objectContaining({ code: 'SG_LEDGER_FAILED' }));
});
