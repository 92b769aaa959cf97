/** Several workers over one PostgreSQL and one Redis, each a process of its own, and scanners that send to any of them. */
import { Agent } from 'node:http';
import { type Answered, post, type ScanAnswer } from './http-client.ts';
import { dispense } from './http-client-scans.ts';
import { type Books, database, gateRole } from './postgres-books.ts';
import type { PostgresServer } from './postgres-server.ts';
import { type ServerProcess, startServer, until } from './server.ts';

/** One after the other: each looks through the database before it listens. @param claims settings that say where they are; nowhere when left out. */
export async function startWorkers(
  count: number,
  postgres: PostgresServer,
  claims: Readonly<Record<string, string>> = {},
): Promise<ServerProcess[]> {
  const env = { SCANGATE_POSTGRES: postgres.url(database, gateRole), ...claims };
  const workers: ServerProcess[] = [];
  while (workers.length < count) workers.push(await startServer({ env }));
  return workers;
}

/** Until the book has so many. Asked more often, a server that is slow already would do little else. */
export async function untilLines(books: Books, count: number): Promise<void> {
  const hasThem = async (): Promise<true | undefined> => {
    const [row] = await books.query('SELECT count(*)::int AS lines FROM scangate.ledger_lines');
    return Number(row?.['lines']) >= count || undefined;
  };
  await until(hasThem, 60_000, 50);
}

export interface Pick {
  readonly facility: string;
  readonly serial: string;
  /** What is sent each time. */
  readonly scan: unknown;
  /** What each transmission of it was answered in the end, in the order of the answers. */
  readonly answers: ScanAnswer[];
}

export interface PickTraffic {
  readonly picks: number;
  /** All picks begin within this time, ms. */
  readonly spreadMs: number;
  readonly below: (limit: number) => number;
  readonly workers: readonly ServerProcess[];
}

/**
 * Sends each pick two to five times, each transmission after a random delay below 2.9 s to a random worker, and each again, to another
 * one, until it is answered with a decision. Half of the picks carry a scan id.
 */
export async function sendPicks({ picks, spreadMs, below, workers }: PickTraffic): Promise<Pick[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const begun = performance.now();
  const capturedAt = Date.now() - 10_000;
  const all = Array.from({ length: picks }, async (_, index) => {
    const [facility, serial] = [`site-${index % 7}`, `SN-${index}`];
    const scan = dispense(facility, {
      scanner_id: `SCN-${index % 40}`,
      serial_number: serial,
      captured_at: capturedAt + below(9_000),
      ...(index % 2 === 0 && { scan_uuid: `trigger-${index}` }),
    });
    const pick: Pick = { facility, serial, scan, answers: [] };
    const at = below(spreadMs);
    const delays = Array.from({ length: 2 + below(4) }, (__, copy) => at + (copy === 0 ? 0 : below(2_900)));
    const choices = delays.map(() => below(workers.length));
    await Promise.all(
      delays.map(async (delay, copy) => {
        await passed(begun + delay);
        pick.answers.push(await answerOf(scan, workers, choices[copy] ?? 0, agent));
      }),
    );
    return pick;
  });
  const done = await Promise.all(all);
  agent.destroy();
  return done;
}

/** The scan was not decided: the worker could not, or the request was too slow for it. */
const asksToSendAgain: ReadonlySet<number> = new Set([408, 503]);

/** How long a scanner goes on, and how long it waits at most before it sends again, ms. */
const patienceMs = 60_000;
const longestPauseMs = 800;

async function answerOf(scan: unknown, workers: readonly ServerProcess[], first: number, agent: Agent): Promise<ScanAnswer> {
  const deadline = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    const worker = workers[(first + attempt) % workers.length];
    if (worker === undefined) throw new Error('There is no worker.');
    const answered: Answered | undefined = await post(worker, scan, { agent }).catch(() => undefined);
    if (answered !== undefined && !asksToSendAgain.has(answered.status)) return answered.answer;
    if (performance.now() > deadline) throw new Error(`No decision within ${patienceMs} ms: ${answered?.text ?? 'no answer'}`);
    await passed(performance.now() + Math.min(100 * 2 ** attempt, longestPauseMs));
  }
}

function passed(at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
}

/** Of all answers to a pick one is committed, and every other is suppressed for its entry. Names the picks of which that is not so. */
export function wrongPicks(picks: readonly Pick[]): string[] {
  return picks.flatMap(({ serial, answers }) => {
    const [entry, ...more] = answers.flatMap((answer) => (answer.outcome === 'committed' ? [answer.entry?.id] : []));
    const others = answers.filter(({ outcome }) => outcome !== 'committed');
    const isRight =
      entry !== undefined && more.length === 0 && others.every(({ outcome, of }) => outcome === 'suppressed' && of?.id === entry);
    return isRight ? [] : [`${serial}: ${JSON.stringify(answers)}`];
  });
}

/**
 * The same where an answer can have been lost on the way: then a pick can have been told of its commit by nobody. All that were told
 * anything were told of one entry.
 */
export function contradictoryPicks(picks: readonly Pick[]): string[] {
  return picks.flatMap(({ serial, answers }) => {
    const entries = new Set(answers.map(({ entry, of }) => (entry ?? of)?.id));
    const decided = answers.every(({ outcome }) => outcome === 'committed' || outcome === 'suppressed');
    return decided && entries.size === 1 && !entries.has(undefined) ? [] : [`${serial}: ${JSON.stringify(answers)}`];
  });
}
