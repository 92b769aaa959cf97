import { expect, test } from 'vitest';
import { BatchState, emptyHead, joined } from '../../../src/ledger/book-state.ts';
import { noon } from '../../../src/testing/wire-scans.ts';
import { knownBooks, knownLine } from './known-books.ts';

const movement = { facility_uuid: 'F', scanner_id: 'S', scan_type: 'dispense', product: 'P', quantity: '1', unit: 'EA' };

test('what a batch has decided stands before what is stored, and leaves that as it was', () => {
  const stored = knownBooks({ head: { lastLine: 1, lastSeq: 1, hash: 'a' } });
  const state = new BatchState(stored);
  expect(state.head('F')).toEqual({ lastLine: 1, lastSeq: 1, hash: 'a' });
  state.heads.set('F', { lastLine: 2, lastSeq: 2, hash: 'b' });
  expect(state.head('F')).toEqual({ lastLine: 2, lastSeq: 2, hash: 'b' });
  expect(stored.head('F')).toEqual({ lastLine: 1, lastSeq: 1, hash: 'a' });
});

test('books without a facility begin at nothing', () => {
  expect(new BatchState(knownBooks({})).head('F')).toEqual({ lastLine: 0, lastSeq: 0, hash: '0'.repeat(64) });
  expect(emptyHead.hash).toHaveLength(64);
});

test('a scan id of the batch is known with its movement, in its own facility and at its own scanner only', () => {
  const state = new BatchState(knownBooks({}));
  state.addScanId('F', 'S', 'A', { fingerprint: 'f', line: knownLine(1, 0), movement });
  expect(state.knownScanId('F', 'S', 'A')).toMatchObject({ fingerprint: 'f', line: { entry: { line: 1 } } });
  expect(state.movement('F', 'S', 'A')).toEqual(movement);
  expect([state.knownScanId('G', 'S', 'A'), state.knownScanId('F', 'T', 'A'), state.knownScanId('F', 'S', 'B')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a scan id that is stored is known through the batch', () => {
  const scanIds = { A: { fingerprint: 'stored', line: knownLine(1, 0), movement } };
  const state = new BatchState(knownBooks({ scanIds }));
  expect(state.knownScanId('F', 'S', 'A')?.fingerprint).toBe('stored');
  expect(state.movement('F', 'S', 'A')).toEqual(movement);
});

test('lines of the batch are near beside those that are stored, each for its own content', () => {
  const state = new BatchState(knownBooks({ lines: [knownLine(1, 0)] }));
  state.addLine('F', 'content', knownLine(2, 3_000));
  state.addLine('F', 'content', knownLine(3, 6_000));
  state.addLine('F', 'other', knownLine(4, 0));
  const numbers = (facility: string, content: string) =>
    state.nearestLines(facility, content, noon).map(({ entry }) => entry.line);
  expect(numbers('F', 'content')).toEqual([1, 2, 3]);
  expect(numbers('F', 'other')).toEqual([1, 4]);
  expect(numbers('G', 'content')).toEqual([1]);
});

test('the latest time of a scanner only grows', () => {
  const state = new BatchState(knownBooks({ lastOccurredAt: noon }));
  state.sawScanner('F', 'S', noon - 5);
  expect(state.lastOccurredAt('F', 'S')).toBe(noon);
  state.sawScanner('F', 'S', noon + 5);
  state.sawScanner('F', 'S', noon + 1);
  expect(state.lastOccurredAt('F', 'S')).toBe(noon + 5);
  expect(new BatchState(knownBooks({})).lastOccurredAt('F', 'S')).toBeUndefined();
});

test('parts are joined by what none of them can hold', () => {
  expect(joined('a', 'b')).not.toBe(joined('ab', ''));
  expect(joined('F', 'S', 'A')).toBe('F|S|A');
});
