/** What an error of PostgreSQL, or of the connection to it, means for who asked. */

import pg from 'pg';
import { ScanGateError, type UnavailableCode } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';

/** A row met a constraint and was left out: somebody writes to the ledger who does not take the locks of its facilities. */
export class RowsMissing extends Error {
  constructor(missing: number) {
    super(`${missing} of its lines met a constraint`);
  }
}

/** The head of a facility that was there is gone: the database was restored or replaced. */
export class HeadsMissing extends Error {
  constructor(missing: number) {
    super(`${missing} facilities have no head`);
  }
}

/** The connection broke before COMMIT was sent: nothing was committed. */
export class ConnectionLost extends Error {}

/** The answer to a COMMIT did not come: whether it was done is not known yet. */
export class CommitUnanswered extends Error {}

/** COMMIT was answered, but not as a commit: what it wrote may be there and not be kept. */
export class CommitNoticed extends Error {}

/** A transaction that was not committed, for certain, though its COMMIT was sent: it can be done again. */
export class CommitUndone extends Error {}

/** SQLSTATE of what the server answered; nothing where the server did not answer. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : undefined;
}

/** The server answered with an error and goes on listening, or the error is our own. */
export function leavesConnection(error: unknown): boolean {
  if (
    error instanceof RowsMissing ||
    error instanceof HeadsMissing ||
    error instanceof TypeError ||
    error instanceof ScanGateError
  )
    return true;
  return error instanceof pg.DatabaseError && !(error.severity === 'FATAL' || error.severity === 'PANIC');
}

/** The server is no longer the one to write to: a new connection may lead to the one that is. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** The driver has waited as long as it was told to, and heard nothing. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Deadlocks, and rows of a writer that goes around us: done again, from what the books say then. */
export function passes(error: unknown): boolean {
  if (error instanceof RowsMissing || error instanceof HeadsMissing || error instanceof CommitUndone) return true;
  const state = sqlStateOf(error);
  return state !== undefined && (state === '40P01' || state === '40001' || state === refusedRow || state.startsWith('23'));
}

/** SQLSTATE of what the triggers of the schema refuse. */
const refusedRow = 'SG001';

/** Host and database, without the password. */
export function databaseName(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `The database ${decodeURIComponent(pathname.slice(1))} at ${host}`;
  } catch {
    return 'The database';
  }
}

/** What an error means for a program that was to start. */
export function databaseError(error: unknown, url: string): ScanGateError {
  if (error instanceof ScanGateError) return error;
  return new ScanGateError('SG_DATABASE', `${databaseName(url)} cannot be used: ${reasonOf(error)}.`, { cause: error });
}

/** What an error means for a scan that was to be written, or for a question to the books. */
export function ledgerError(error: unknown, url: string): ScanGateError {
  if (error instanceof ScanGateError && error.retryable) return error;
  const [code, what] = error instanceof ScanGateError ? (['SG_LEDGER_FAILED', 'The ledger cannot write'] as const) : told(error);
  return new ScanGateError(code, `${what} (${databaseName(url)}: ${reasonOf(error)}).`, { cause: error });
}

type Told = readonly [UnavailableCode, string];

function told(error: unknown): Told {
  if (error instanceof CommitUnanswered || error instanceof CommitNoticed) {
    return ['SG_LEDGER_FAILED', 'Whether the ledger keeps what it was given is not known'];
  }
  const state = sqlStateOf(error) ?? '';
  if (isBusy(error, state)) return ['SG_LEDGER_BUSY', 'Another process holds the ledger'];
  if (error instanceof TypeError || passes(error)) {
    return ['SG_LEDGER_REFERENCE', 'The ledger refused a row that its rules do not allow'];
  }
  if (state === '53100') return ['SG_LEDGER_FULL', 'The disk of the ledger is full'];
  return ['SG_LEDGER_FAILED', 'The ledger cannot write'];
}

/** A lock, a statement or a free connection was waited for as long as allowed. */
function isBusy(error: unknown, state: string): boolean {
  const noneFree = error instanceof Error && error.message === 'timeout exceeded when trying to connect';
  return noneFree || ['55P03', '57014', '53300', '40P01', '40001'].includes(state);
}

/** What it says, for the middle of a sentence. */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/\.$/, '');
}
