/**
 * Four workers, a thousand picks, each sent two to five times to any of them, while the servers behind them fail, one fault after the other.
 *
 * A fault that lasts is two steps: it begins, and some picks later it is over.
 */
import { expect } from 'vitest';
import { contradictoryPicks, sendPicks, startWorkers, untilLines } from '../support/fleet.ts';
import { get, getJson, ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import type { Books } from '../support/postgres-books.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { type ServerProcess, until } from '../support/server.ts';
import { seeded } from '../support/server-seed.ts';

export interface FaultStep {
  readonly what: string;
  happen(): unknown;
}

export interface FleetStory {
  readonly books: Books;
  readonly claims: Parameters<typeof startWorkers>[2];
  readonly steps: readonly FaultStep[];
  /** Servers of Redis that each hold claims in the end. */
  readonly holders?: readonly RedisServer[];
}

const picks = 1_000;

/** Whatever happens, each pick is one line, nobody was told otherwise, and claims are back by themselves. */
export async function expectThousandLines({ books, claims, steps, holders = [] }: FleetStory): Promise<void> {
  const workers = await startWorkers(4, books.server, claims);
  const died: string[] = [];
  for (const worker of workers) void worker.ended.then(({ code, signal, stderr }) => died.push(`${code ?? signal}: ${stderr}`));
  const sending = sendPicks({ picks, spreadMs: 14_000, below: seeded().below, workers });
  const happened: string[] = [];
  for (const [index, { what, happen }] of steps.entries()) {
    await untilLines(books, Math.floor(((index + 1) * picks) / (steps.length + 1)));
    await happen();
    happened.push(what);
  }
  const sent = await sending;

  expect(died).toEqual([]);
  expect(happened).toHaveLength(steps.length);
  expect(sent).toHaveLength(picks);
  expect(contradictoryPicks(sent)).toEqual([]);
  const [worker] = workers;
  if (worker === undefined) throw new Error('There is no worker.');
  const lines = await ledgerLines(worker);
  expect(new Set(lines.map(({ serial_number }) => serial_number)).size).toBe(picks);
  expect(lines).toHaveLength(picks);
  expect(await breaksIn(books)).toEqual([]);
  // The faults have met the claims: else nothing was shown.
  expect(Math.min(...(await Promise.all(workers.map(degradedClaims))))).toBeGreaterThan(0);

  await Promise.all(holders.map(({ operator }) => operator.flushall()));
  await Promise.all(workers.map((one, index) => untilClaimsAreBack(one, index, holders)));
  await Promise.all(workers.map((one) => one.stop()));
}

/** The whole server dies at once, and recovers. */
export function postgresCrashes({ server }: Books): FaultStep {
  const happen = async (): Promise<void> => {
    await server.stop('SIGKILL');
    await server.start();
  };
  return { what: 'PostgreSQL is killed and started again', happen };
}

/** A setting that is one thing for a while, and then another, on each of these servers. */
export function setFor(servers: readonly RedisServer[], name: string, during: string, after: string): readonly FaultStep[] {
  return [during, after].map((value) => ({
    what: `${name} is ${value}`,
    happen: () => Promise.all(servers.map(({ operator }) => operator.config('SET', name, value))),
  }));
}

async function degradedClaims(worker: ServerProcess): Promise<number> {
  const [, count] = /^scangate_claims_degraded_total (\d+)$/m.exec((await get(worker, '/metrics')).text) ?? [];
  return Number(count ?? 0);
}

/** Scans go on, nobody is started again, and a claim is answered; on every server that holds claims there is one. */
async function untilClaimsAreBack(worker: ServerProcess, name: number, holders: readonly RedisServer[]): Promise<void> {
  let scans = 0;
  await until(async () => {
    const some = Array.from({ length: 10 }, () => {
      scans += 1;
      return dispense('site-after', { serial_number: `AFTER-${name}-${scans}` });
    });
    await post(worker, some);
    const { claims } = await getJson<{ claims: { state: string } }>(worker, '/v1/health');
    const held = await Promise.all(holders.map(({ operator }) => operator.dbsize()));
    return (claims.state === 'ok' && held.every((count) => count > 0)) || undefined;
  }, 30_000);
}
