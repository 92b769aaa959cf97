import { EventEmitter } from 'node:events';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { CommitNoticed, CommitUnanswered, ConnectionLost } from '../../../src/ledger/postgres-errors.ts';
import type { PostgresPool } from '../../../src/ledger/postgres-pool.ts';
import { inTransaction } from '../../../src/ledger/postgres-transaction.ts';

/** A connection that answers COMMIT as it is told to, and everything else with nothing. */
class ToldClient extends EventEmitter {
  readonly sent: string[] = [];
  released: 'kept' | 'given up' | undefined;
  readonly #answerCommit: (client: ToldClient) => unknown;

  constructor(answerCommit: (client: ToldClient) => unknown) {
    super();
    this.#answerCommit = answerCommit;
  }

  async query(query: string | { readonly text: string }): Promise<unknown> {
    const text = typeof query === 'string' ? query : query.text;
    this.sent.push(text.split(' ')[0] ?? '');
    return text.endsWith('COMMIT') ? this.#answerCommit(this) : {};
  }

  release(destroy: boolean): void {
    this.released = destroy ? 'given up' : 'kept';
  }
}

const tagged = (command: string) => [{ command: 'SET' }, { command }];

function answered(code: string, severity = 'ERROR'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('no luck', 7, 'error'), { code, severity });
}

function thrown(error: Error): never {
  throw error;
}

async function endOf(client: ToldClient, work: () => Promise<string> = async () => 'written'): Promise<unknown> {
  const bounds = { commitMs: 1_000 };
  const pool = { take: async () => client, backendOf: () => undefined, bounds } as unknown as PostgresPool;
  return inTransaction(pool, work).catch((error: unknown) => error);
}

describe('the answer to a COMMIT', () => {
  it('is a commit when it says so', async () => {
    const client = new ToldClient(() => tagged('COMMIT'));
    expect(await endOf(client)).toBe('written');
    expect([client.released, client.listenerCount('notice')]).toEqual(['kept', 0]);
  });

  it.each<[string, (client: ToldClient) => unknown, new (message: string) => Error]>([
    ['ROLLBACK', () => tagged('ROLLBACK'), CommitNoticed],
    ['a notice', (client) => client.emit('notice', { message: 'cancelled' }) && tagged('COMMIT'), CommitNoticed],
    ['silence', () => thrown(new Error('Query read timeout')), CommitUnanswered],
    ['a connection that breaks', () => thrown(new Error('Connection terminated')), CommitUnanswered],
    ['the end of the server process', () => thrown(answered('57P01', 'FATAL')), CommitUnanswered],
  ])('is none when it is %s, and the connection is given up', async (_what, answer, kind) => {
    const client = new ToldClient(answer);
    expect(await endOf(client)).toBeInstanceOf(kind);
    expect([client.released, client.listenerCount('notice')]).toEqual(['given up', 0]);
  });

  it('is certain when it is an error: nothing was committed', async () => {
    const client = new ToldClient(() => thrown(answered('57014')));
    expect(await endOf(client)).toMatchObject({ code: '57014' });
    expect([client.sent, client.released]).toEqual([['BEGIN', 'SET', 'ROLLBACK'], 'kept']);
  });
});

describe('before COMMIT', () => {
  it.each<[string, Error, new (...args: never[]) => Error, string]>([
    ['a connection that breaks', new Error('Connection terminated'), ConnectionLost, 'given up'],
    ['silence', new Error('Query read timeout'), Error, 'given up'],
    ['an error of the server', answered('53100'), pg.DatabaseError, 'kept'],
    ['a server that became read-only', answered('25006'), pg.DatabaseError, 'given up'],
    ['a defect of our own', new TypeError('NaN'), TypeError, 'kept'],
  ])('%s ends the transaction without one', async (_what, error, kind, released) => {
    const client = new ToldClient(() => tagged('COMMIT'));
    const end = await endOf(client, async () => thrown(error));
    expect(end).toBeInstanceOf(kind);
    expect(end instanceof ConnectionLost).toBe(kind === ConnectionLost);
    expect(client.released).toBe(released);
    expect(client.sent).not.toContain('SET');
  });
});
