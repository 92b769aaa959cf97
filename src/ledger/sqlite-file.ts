/**
 * Opens the file of a SQLite ledger so that what it says is committed is on disk.
 *
 * Out: a connection in WAL mode with `synchronous=FULL`, its schema made or checked; or one sentence that names the path.
 */

import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import { applicationId, schemaSql, schemaVersion } from './sqlite-schema.ts';

export interface OpenOptions {
  /** For commands that only read. Works beside a running server. */
  readonly readonly?: boolean;
  /** How long to wait for another process that is writing, ms. */
  readonly busyMs: number;
  /** Look through the structure of the whole file first. */
  readonly check: boolean;
}

export function openLedgerFile(path: string, options: OpenOptions): Database.Database {
  const isNew = !existsSync(path);
  if (!isNew && statSync(path).isDirectory()) {
    throw new ScanGateError('SG_DATA_PATH', `${path} is a directory; the ledger needs a file there.`);
  }
  if (isNew && options.readonly === true) {
    throw new ScanGateError('SG_DATA_PATH', `There is no ledger at ${path}.`);
  }
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: options.readonly === true, timeout: options.busyMs });
    prepare(database, path, options);
    return database;
  } catch (error) {
    database?.close();
    throw fileError(error, path);
  }
}

function prepare(database: Database.Database, path: string, options: OpenOptions): void {
  database.pragma('foreign_keys = ON');
  // Before anything is set in it: it could be somebody else's.
  if (!isEmpty(database)) checkVersion(database, path);
  if (options.readonly !== true) {
    const mode = switchToWal(database, options.busyMs);
    if (mode !== 'wal') {
      throw new ScanGateError(
        'SG_DATA_PATH',
        `${path} cannot use a write-ahead log (SQLite answered "${String(mode)}"). Is it on a network file system?`,
      );
    }
    database.pragma('synchronous = FULL');
    // Pages that many batches change are then copied into the file once, not after every few batches.
    database.pragma('wal_autocheckpoint = 10000');
    database.pragma('cache_size = -65536');
    database.transaction(() => createSchema(database)).immediate();
  }
  checkVersion(database, path);
  if (options.check) checkStructure(database, path);
}

/** For this SQLite needs the file alone, and does not wait for it: two that open a new ledger at once would refuse each other. */
function switchToWal(database: Database.Database, busyMs: number): unknown {
  const pauseMs = 5;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      return database.pragma('journal_mode = WAL', { simple: true });
    } catch (error) {
      if (!isBusy(error) || waitedMs >= busyMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code);
}

function createSchema(database: Database.Database): void {
  if (!isEmpty(database)) return;
  database.exec(schemaSql);
  database.pragma(`application_id = ${applicationId}`);
  database.pragma(`user_version = ${schemaVersion}`);
}

function isEmpty(database: Database.Database): boolean {
  return database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

function checkVersion(database: Database.Database, path: string): void {
  if (database.pragma('application_id', { simple: true }) !== applicationId) {
    throw new ScanGateError('SG_DATA_PATH', `${path} is a SQLite file, but not a ScanGate ledger.`);
  }
  const version = database.pragma('user_version', { simple: true });
  if (version !== schemaVersion) {
    throw new ScanGateError(
      'SG_DATA_VERSION',
      `${path} has schema version ${String(version)}; this version of ScanGate reads ${schemaVersion}.`,
    );
  }
}

function checkStructure(database: Database.Database, path: string): void {
  const [first] = database.pragma('quick_check(1)') as { quick_check: string }[];
  if (first?.quick_check !== 'ok') {
    throw new ScanGateError(
      'SG_DATA_DAMAGED',
      `${path} is damaged: ${first?.quick_check ?? 'it cannot be checked'}. Restore a backup, or copy it and run "scangate verify" on the copy.`,
    );
  }
}

/** What an error of SQLite means for a file that was to be opened or read through. */
export function fileError(error: unknown, path: string): ScanGateError {
  if (error instanceof ScanGateError) return error;
  const message = messageOf(error);
  const code = error instanceof Database.SqliteError ? error.code : '';
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return new ScanGateError('SG_DATA_DAMAGED', `${path} is damaged: ${message}.`, { cause: error });
  }
  return new ScanGateError('SG_DATA_PATH', `${path} cannot be opened: ${message}.`, { cause: error });
}

/** What an error of SQLite means for a scan that was to be written. */
export function appendError(error: unknown, path: string): ScanGateError {
  if (error instanceof ScanGateError) return error;
  const message = messageOf(error);
  const code = error instanceof Database.SqliteError ? error.code : '';
  const named = (
    code: 'SG_LEDGER_BUSY' | 'SG_LEDGER_FULL' | 'SG_LEDGER_REFERENCE' | 'SG_LEDGER_FAILED',
    what: string,
  ): ScanGateError => new ScanGateError(code, `${what} (${path}: ${message}).`, { cause: error });
  if (isBusy(error)) return named('SG_LEDGER_BUSY', 'Another process holds the ledger');
  if (code.startsWith('SQLITE_FULL')) return named('SG_LEDGER_FULL', 'The disk of the ledger is full');
  if (code === '' || code.startsWith('SQLITE_CONSTRAINT'))
    return named('SG_LEDGER_REFERENCE', 'The ledger refused a row that its rules do not allow');
  return named('SG_LEDGER_FAILED', 'The ledger cannot write');
}
