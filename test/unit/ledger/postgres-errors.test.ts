import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import {
  CommitNoticed,
  CommitUnanswered,
  ConnectionLost,
  databaseError,
  databaseName,
  ledgerError,
  passes,
  RowsMissing,
} from '../../../src/ledger/postgres-errors.ts';

const url = 'postgres://gate:secret@db.example:5432/ledger';

function answered(code: string, severity = 'ERROR'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('no luck', 7, 'error'), { code, severity });
}

describe('an error of PostgreSQL', () => {
  it.each([
    ['a full disk', '53100', 'SG_LEDGER_FULL', 'The disk of the ledger is full'],
    ['a lock that was waited for long enough', '55P03', 'SG_LEDGER_BUSY', 'Another process holds the ledger'],
    ['a statement that took too long', '57014', 'SG_LEDGER_BUSY', 'Another process holds the ledger'],
    ['a server without a free connection', '53300', 'SG_LEDGER_BUSY', 'Another process holds the ledger'],
    ['the last of many deadlocks', '40P01', 'SG_LEDGER_BUSY', 'Another process holds the ledger'],
    ['a constraint', '23505', 'SG_LEDGER_REFERENCE', 'The ledger refused a row that its rules do not allow'],
    ['a trigger of the schema', 'SG001', 'SG_LEDGER_REFERENCE', 'The ledger refused a row that its rules do not allow'],
    ['a server that became read-only', '25006', 'SG_LEDGER_FAILED', 'The ledger cannot write'],
    ['a missing right', '42501', 'SG_LEDGER_FAILED', 'The ledger cannot write'],
    ['a disk that fails', '58030', 'SG_LEDGER_FAILED', 'The ledger cannot write'],
  ])('%s is %s: %s', (_what, state, code, sentence) => {
    const error = ledgerError(answered(state), url);
    expect(error).toMatchObject({ code, retryable: true });
    expect(error.message).toBe(`${sentence} (The database ledger at db.example:5432: no luck).`);
  });

  it('is always one that asks for a retry, also where it was one that refuses to start', () => {
    const unsafe = new ScanGateError('SG_DATABASE_UNSAFE', 'It is unsafe.');
    expect(ledgerError(unsafe, url)).toMatchObject({ code: 'SG_LEDGER_FAILED', retryable: true });
    const busy = new ScanGateError('SG_LEDGER_BUSY', 'It is busy.');
    expect(ledgerError(busy, url)).toBe(busy);
  });

  it('names every address that was tried', () => {
    const refused = new AggregateError([new Error('no IPv6.'), new Error('no IPv4')]);
    expect(databaseError(refused, url).message).toBe('The database ledger at db.example:5432 cannot be used: no IPv6; no IPv4.');
  });
});

describe('a transaction', () => {
  it.each([
    ['a deadlock', answered('40P01'), true],
    ['a serialisation failure', answered('40001'), true],
    ['a row that met a constraint', new RowsMissing(1), true],
    ['a full disk', answered('53100'), false],
    ['a lock that was waited for long enough', answered('55P03'), false],
    ['a COMMIT that came with a notice', new CommitNoticed('cancelled'), false],
    ['a COMMIT whose answer did not come', new CommitUnanswered('gone'), false],
    ['a connection that broke', new ConnectionLost('gone'), false],
    ['a value that cannot be written', new TypeError('NaN'), false],
  ])('that ended in %s is decided again as it is: %s', (_what, error, again) => {
    expect(passes(error)).toBe(again);
  });
});

it('names a database without its password', () => {
  expect(databaseName(url)).toBe('The database ledger at db.example:5432');
  expect(databaseName('postgres://db.example/a%20b')).toBe('The database a b at db.example');
  expect(databaseName('nonsense')).toBe('The database');
});
