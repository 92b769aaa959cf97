/** The programs under `examples/`, as a reader would run them, on real servers. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { noon, scanAt, type WireChanges, wireScan } from '../../src/testing/wire-scans.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { freePort, type RedisServer, startRedis } from '../support/redis-server.ts';
import { type Started, start, temporaryFolder, until } from '../support/server.ts';

let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});

const lots = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7', 'L8'];

/** A minute ago, where a window begins: a scan of long ago would be given the time of its receipt. */
const startedAt = Math.floor(Date.now() / 3_000) * 3_000 - 60_000;

/** A scan so many ms after that. */
function sent(ms: number, changes?: WireChanges): WireChanges {
  return wireScan(startedAt - noon + ms, changes);
}

function pickOf(lot_number: string, ms = 0): string {
  return scanAt(startedAt - noon + ms, { lot_number }).identity.claimKey;
}

/** Each scan three times: as it was, sent again, and reported once more by a second listener 200 ms later. */
function transmissions(listed: readonly string[] = lots): WireChanges[] {
  return listed.flatMap((lot_number) =>
    [0, 0, 200].map((ms, index) => sent(ms, { lot_number, scan_uuid: `${lot_number}-${index === 2 ? 'b' : 'a'}` })),
  );
}

describe('examples/worker.js', () => {
  /** A run of the worker over these scans. */
  async function worked(folder: string, scans: readonly unknown[]) {
    const input = join(temporaryFolder(), 'scans.ndjson');
    writeFileSync(input, scans.map((scan) => `${JSON.stringify(scan)}\n`).join(''));
    const { code, stdout, stderr } = await start('bash', [
      '-c',
      'exec "$0" examples/worker.js "$1" "$2" < "$3"',
      process.execPath,
      redis.url,
      folder,
      input,
    ]).ended;
    const answers = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { outcome: string; of?: string; reference?: string });
    return { code, stderr, answers };
  }

  test('makes one file a scan, of two workers that are given the same scans at once', async () => {
    await redis.operator.flushall();
    const folder = join(temporaryFolder(), 'dispenses');
    const runs = await Promise.all([worked(folder, transmissions()), worked(folder, transmissions())]);
    expect(runs.map(({ stderr }) => stderr)).toEqual(['', '']);
    const answers = runs.flatMap((run) => run.answers);
    expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(lots.length);
    expect(readdirSync(folder).sort()).toEqual(lots.map((lot) => `${pickOf(lot).replaceAll(':', '-')}.json`).sort());

    // Redis forgets everything; the ledger does not.
    await redis.operator.flushall();
    const again = await worked(folder, transmissions());
    expect(again.code).toBe(0);
    expect(new Set(again.answers.map(({ outcome }) => outcome))).toEqual(new Set(['suppressed']));
    expect(readdirSync(folder)).toHaveLength(lots.length);
  });

  test('commits what is left when the rest is refused, and asks for nothing again', async () => {
    const folder = join(temporaryFolder(), 'dispenses');
    const { code, answers } = await worked(folder, [sent(0, { quantity: 'one' }), sent(0, { lot_number: 'M1' })]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(['rejected', 'committed']);
    expect(code).toBe(0);
    const [name = ''] = readdirSync(folder);
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ pick: pickOf('M1'), lot: 'M1', quantity: '1' });
  });
});

describe('examples/fastify-route.js', () => {
  test('answers 201 once, 200 to all others, 422 to what is no scan, 503 without Redis, and has one row', async () => {
    const own = await startRedis();
    const file = join(temporaryFolder(), 'dispenses.db');
    const port = await freePort();
    const server = start(process.execPath, ['examples/fastify-route.js', own.url, file, `${port}`]);
    await until(() => server.stdoutLines.some((line) => line.startsWith('listening')) || undefined, 30_000);
    const post = async (scan: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(scan);
      const response = await fetch(`http://127.0.0.1:${port}/dispenses`, { method: 'POST', headers, body });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
    };
    expect(await post(sent(0))).toMatchObject({ status: 201, body: { outcome: 'committed', reference: '1' } });
    for (const ms of [0, 400, 2_999]) {
      expect(await post(sent(ms))).toMatchObject({ status: 200, body: { outcome: 'suppressed', of: '1', gapMs: ms } });
    }
    expect(await post(sent(0, { quantity: 'one' }))).toMatchObject({
      status: 422,
      body: { outcome: 'rejected', code: 'SG_QUANTITY_INVALID' },
    });
    const many = await Promise.all(Array.from({ length: 20 }, () => post(sent(5_000))));
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
    await own.kill();
    expect(await post(sent(0))).toMatchObject({ status: 503, retryAfter: '1', body: { code: 'SG_CLAIM_FAILED' } });
    server.kill('SIGTERM');
    await server.ended;
    const database = new Database(file, { readonly: true });
    const picks = database.prepare('SELECT pick FROM dispenses ORDER BY id').pluck().all();
    database.close();
    expect(picks).toEqual([0, 5_000].map((ms) => pickOf('A1207', ms)));
  });
});

describe('examples/postgres-consumer.js', () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.createDatabase('pharmacy');
  });

  function startConsumer(name: string): Started {
    const args = ['examples/postgres-consumer.js', redis.url, postgres.url('pharmacy'), name, '500'];
    return start(process.execPath, args);
  }

  async function add(scans: readonly unknown[]): Promise<void> {
    for (const scan of scans) await redis.operator.xadd('scans', '*', 'scan', JSON.stringify(scan));
  }

  /** Resolves when all that was added has been acknowledged. */
  async function untilAcknowledged(): Promise<void> {
    await until(async () => {
      const [group] = (await redis.operator.xinfo('GROUPS', 'scans').catch(() => [])) as unknown[][];
      if (group === undefined) return undefined;
      const of = (name: string) => group[group.indexOf(name) + 1];
      return (of('pending') === 0 && of('lag') === 0) || undefined;
    }, 30_000);
  }

  const rows = () => postgres.query('pharmacy', 'SELECT pick, scan FROM dispenses ORDER BY pick');

  test('has one row a scan, of two consumers and three transmissions each, one of them killed on the way', async () => {
    await redis.operator.flushall();
    await add(transmissions());
    const consumers = [startConsumer('consumer-1'), startConsumer('consumer-2')];
    await untilAcknowledged();
    const picks = lots.map(pickOf).sort();
    expect((await rows()).map(({ pick }) => pick)).toEqual(picks);

    const more = Array.from({ length: 20 }, (_, index) => `N${index}`);
    await add(transmissions(more));
    const hasCommitted = ({ stdoutLines }: Started) => stdoutLines.some((line) => line.includes('"committed"'));
    const victim = await until(() => consumers.find(hasCommitted), 30_000);
    victim.kill('SIGKILL');
    await victim.ended;
    const restarted = startConsumer(`consumer-${consumers.indexOf(victim) + 1}`);
    const [survivor] = consumers.filter((consumer) => consumer !== victim) as [Started];
    await untilAcknowledged();
    expect((await rows()).map(({ pick }) => pick)).toEqual([...picks, ...more.map(pickOf)].sort());
    for (const consumer of [survivor, restarted]) {
      consumer.kill('SIGTERM');
      expect(await consumer.ended).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('writes nothing where a later lease has been, and writes it when its own is the later one', async () => {
    const pick = pickOf('P1');
    await postgres.query('pharmacy', `INSERT INTO dispense_fences VALUES ('${pick}', ${Number.MAX_SAFE_INTEGER})`);
    await add([sent(0, { lot_number: 'P1' })]);
    const consumer = startConsumer('consumer-3');
    await until(() => consumer.stdoutLines.some((line) => line.includes('SG_COMMIT_REFUSED')) || undefined, 30_000);
    expect((await rows()).filter((row) => row['pick'] === pick)).toEqual([]);
    await postgres.query('pharmacy', `UPDATE dispense_fences SET fence = 1 WHERE pick = '${pick}'`);
    await untilAcknowledged();
    expect((await rows()).filter((row) => row['pick'] === pick)).toHaveLength(1);
    consumer.kill('SIGTERM');
    expect(await consumer.ended).toMatchObject({ code: 0, stderr: '' });
  });
});
