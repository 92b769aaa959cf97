/** Four workers, a thousand picks, each sent two to five times to any of them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startEtcd } from '../support/etcd-server.ts';
import { sendPicks, startWorkers, wrongPicks } from '../support/fleet.ts';
import { get, getJson, ledgerLines } from '../support/http-client.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { startRedis } from '../support/redis-server.ts';
import { startCluster } from '../support/redis-topologies.ts';
import { seeded } from '../support/server-seed.ts';

let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ newBooks } = await startBooks());
});

describe('a thousand picks sent to four workers', () => {
  it.each([
    ['claims in one Redis', async () => ({ SCANGATE_REDIS: (await startRedis()).url })],
    ['claims in a cluster of Redis', async () => ({ SCANGATE_REDIS: (await startCluster()).url })],
    ['claims in three nodes of etcd', async () => ({ SCANGATE_ETCD: (await startEtcd()).urls.join(',') })],
    ['no claims', async () => ({})],
  ])('are a thousand lines with %s, and every other transmission is suppressed for its line', async (_, claims) => {
    const books = await newBooks();
    const workers = await startWorkers(4, books.server, await claims());
    const picks = await sendPicks({ picks: 1_000, spreadMs: 5_000, below: seeded().below, workers });

    expect(picks).toHaveLength(1_000);
    expect(picks.reduce((sum, { answers }) => sum + answers.length, 0)).toBeGreaterThan(2_500);
    expect(wrongPicks(picks)).toEqual([]);
    const [worker] = workers;
    if (worker === undefined) throw new Error('There is no worker.');
    const lines = await ledgerLines(worker);
    expect(new Set(lines.map(({ serial_number }) => serial_number)).size).toBe(1_000);
    expect(lines).toHaveLength(1_000);
    expect(await breaksIn(books)).toEqual([]);
    expect(await getJson(worker, '/v1/health')).toMatchObject({ ready: true, mode: 'fleet', ledger: { kind: 'postgres' } });
    expect((await get(worker, '/metrics')).text).toContain('scangate_scans_total{outcome="committed"');
    await Promise.all(workers.map((one) => one.stop()));
  });
});
