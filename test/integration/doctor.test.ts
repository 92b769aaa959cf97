import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SqliteProductDirectory } from '../../src/directory/sqlite-product-directory.ts';
import { complaints, examined, saidOf } from '../support/doctor.ts';
import { post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { freePort, type RedisServer, startRedis } from '../support/redis-server.ts';
import { type ServerProcess, scangate, startServer, temporaryFolder, until } from '../support/server.ts';
import { ledgerFile } from '../support/server-ledger.ts';

describe('an embedded ledger', () => {
  test('whose directory is not there yet, or has a product directory, leaves nothing to complain of', async () => {
    const data = join(temporaryFolder(), 'data');
    const before = await examined({ data });
    expect(complaints('data', before)).toEqual([]);
    expect(saidOf('data-directory', before)).toEqual(['ok: It is not there yet; a server makes it.']);
    expect(saidOf('product-directory', before)).toEqual(['warning: There is none.']);
  });

  test('in which scans were taken is whole, and says so beside its server', async () => {
    const server = await startServer();
    await post(server, dispense('one'));
    const products = new SqliteProductDirectory(join(server.data, 'directory.sqlite'));
    const importing = await examined({ data: server.data });
    products.put([], { key: 'list', line: 1, isDone: true });
    products.close();
    const findings = await examined({ data: server.data });
    await server.stop();
    expect(saidOf('data-structure', findings)).toEqual([
      'ok: Every page of it is whole. Only "scangate verify" finds changed records.',
    ]);
    expect(saidOf('product-directory', importing)).toEqual(['warning: No import of it has come to its end.']);
    expect(saidOf('product-directory', findings)).toEqual(['ok: It is loaded.']);
    expect(complaints('', findings)).toEqual([]);
  });

  test('whose disk is not mounted, whose directory is a file, or whose file is damaged or gone, is refused', async () => {
    const folder = temporaryFolder();
    expect(complaints('data', await examined({ data: join(folder, 'disk', 'data') }))).toEqual(['data-directory: refusal']);
    writeFileSync(join(folder, 'file'), '');
    expect(complaints('data', await examined({ data: join(folder, 'file') }))).toEqual(['data-directory: refusal']);
    writeFileSync(ledgerFile(folder), 'This is no ledger, and it is longer than the header of one.'.repeat(20));
    expect(complaints('data', await examined({ data: folder }))).toEqual(['data-structure: refusal']);
    writeFileSync(ledgerFile(folder), '');
    writeFileSync(join(folder, 'ledger.made'), '');
    expect(saidOf('data-structure', await examined({ data: folder }))[0]).toContain('was made here before, and is gone or empty');
  });
});

const awayWarning = /^WARNING: redis-reachable, 127\.0\.0\.1:\d+: .* The ledger decides alone until Redis answers/;

describe('a fleet', () => {
  let redis: RedisServer;
  let newBooks: () => Promise<Books>;
  let books: Books;

  beforeAll(async () => {
    [redis, { newBooks }] = await Promise.all([startRedis(), startBooks()]);
  });

  beforeEach(async () => {
    books = await newBooks();
    await redis.operator.config('SET', 'maxmemory-policy', 'noeviction');
  });

  function fleet(...args: readonly string[]): string[] {
    return ['--postgres', books.url, '--redis', redis.url, '--data', temporaryFolder(), ...args];
  }

  /** The lines of warning that a server has printed once it has printed how it is used. */
  async function warningsOf(server: ServerProcess): Promise<string[]> {
    await until(() => server.stderr.includes('curl -sS') || undefined);
    return server.stderr.split('\n').filter((line) => line.startsWith('WARNING: '));
  }

  test('that is as it should be ends the command with 0, in a table that names what was looked at', async () => {
    const { code, stdout, stderr } = await scangate(['doctor', ...fleet('--retry-horizon-ms', '10000')]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/│ ok\s+│ redis-version\s+│ 127\.0\.0\.1:\d+: It is Redis 7\./);
    expect(stdout).toMatch(/│ warning │ window-and-retries\s+│ class default: Too short: clients retry for 10000 ms/);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 refusal(s), 2 warning(s). A server starts.');
  });

  test('with a refusal ends the command with 1, and says in JSON what to do', async () => {
    await redis.operator.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { code, stdout } = await scangate(['doctor', '--json', ...fleet()]);
    const { level, findings } = JSON.parse(stdout) as { level: string; findings: Record<string, string>[] };
    expect([code, level]).toEqual([1, 'refusal']);
    expect(findings.filter((finding) => finding['level'] === 'refusal')).toEqual([
      {
        check: 'redis-eviction',
        target: `127.0.0.1:${redis.port}`,
        level: 'refusal',
        found: 'maxmemory-policy is allkeys-lru: it evicts as soon as a maxmemory is set.',
        means: 'Redis may drop a claim before its time; who relies on claims alone then commits the scan a second time.',
        todo: 'Set maxmemory-policy to noeviction, or allow it with --allow-eviction true.',
      },
    ]);
  });

  test('with a horizon that is no number ends the command with one sentence', async () => {
    expect(await scangate(['doctor', '--retry-horizon-ms', '1e9'])).toMatchObject({
      code: 1,
      stderr: 'scangate: --retry-horizon-ms is "1e9", which is not a whole number. (SG_CONFIG_INVALID)\n',
    });
  });

  test('with a Redis that evicts does not start, unless that is allowed', async () => {
    await redis.operator.config('SET', 'maxmemory-policy', 'volatile-lru');
    const refused = await scangate(['serve', '--port', '0', ...fleet()]);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /^scangate: redis-eviction, 127\.0\.0\.1:\d+: maxmemory-policy is volatile-lru: .* --allow-eviction true\. \(SG_UNSAFE\)\n$/,
    );
    const server = await startServer({ args: ['--postgres', books.url, '--redis', redis.url, '--allow-eviction', 'true'] });
    const warnings = await warningsOf(server);
    server.kill('SIGKILL');
    expect(warnings.map((line) => line.split(',')[0])).toEqual(['WARNING: redis-eviction', 'WARNING: product-directory']);
  });

  test('with a disabled rule of the ledger does not start', async () => {
    await books.query('ALTER TABLE scangate.ledger_lines DISABLE TRIGGER ledger_lines_change');
    const { code, stderr } = await scangate(['serve', '--port', '0', ...fleet()]);
    await books.query('ALTER TABLE scangate.ledger_lines ENABLE TRIGGER ledger_lines_change');
    expect(code).toBe(1);
    expect(stderr).toContain('ledger_lines_change is not in force.');
    expect(stderr).toContain('(SG_UNSAFE)');
  });

  test('whose Redis is away, or hangs, starts with a warning and takes scans', async () => {
    const port = await freePort();
    redis.signal('SIGSTOP');
    const urls = [`redis://127.0.0.1:${port}`, redis.url];
    const started = urls.map(async (url) => {
      const server = await startServer({ args: ['--postgres', books.url, '--redis', url] });
      const [first] = await warningsOf(server);
      const { status } = await post(server, dispense(url));
      server.kill('SIGKILL');
      expect([status, first]).toEqual([201, expect.stringMatching(awayWarning)]);
    });
    await Promise.all(started);
    redis.signal('SIGCONT');
  });
});
