/**
 * Looks at everything that a server will depend on, by its settings.
 *
 * In: settings. Out: findings, in the order of the catalogue. What can go wrong is a finding as well; only an address that is none throws.
 * Beside a key of Redis that lives for a second, nothing is written.
 */
import { type Clock, systemClock } from '../../base/clock.ts';
import { within } from '../../base/deadline.ts';
import { ScanGateError } from '../../base/errors.ts';
import { type Config, scannerClassesOf } from '../config.ts';
import { dataFindings, productFindings } from './data-findings.ts';
import { type Finding, finding, inOrder, inSentences } from './finding.ts';
import { windowFindings } from './window-and-retries.ts';

export interface ExamineOptions {
  /** How long clients go on retrying; the window is compared with it. */
  readonly retryHorizonMs?: number;
  readonly clock?: Clock;
}

/** How long a server has to answer, ms; a Redis has to be quicker to be of any use. */
const serverMsMax = 5_000;
const redisMsMax = 2_000;

/** How long the start of a server may be held up by being looked at, ms. */
const startMsMax = 900;

/** @throws ScanGateError `SG_CONFIG_INVALID`. */
export async function examine(config: Config, { retryHorizonMs, clock = systemClock }: ExamineOptions = {}): Promise<Finding[]> {
  const ask = await askerOf(config);
  const servers = await ask({ clock, withinMs: serverMsMax });
  return inOrder([
    ...servers,
    ...(config.postgres === '' ? dataFindings(config) : []),
    ...productFindings(config),
    ...(retryHorizonMs === undefined ? [] : windowFindings(scannerClassesOf(config), retryHorizonMs)),
  ]);
}

/**
 * What a server is warned of at its start. A server of the fleet that is not done with its answers in time is a warning: claims can do
 * without Redis, and whether the ledger can be written to is checked when it is opened.
 *
 * @throws ScanGateError `SG_UNSAFE` for the refusals, in one sentence; `SG_CONFIG_INVALID`.
 */
export async function examineForStart(config: Config, clock: Clock = systemClock): Promise<string[]> {
  const ask = await askerOf(config);
  const asked = ask({ clock, withinMs: startMsMax - 100 });
  const late = finding(
    config.postgres === '' ? 'redis-reachable' : 'postgres-reachable',
    'the servers',
    'warning',
    `Not all could be looked at within ${startMsMax} ms; run "scangate doctor".`,
  );
  const fleet = config.postgres === '' ? [] : productFindings(config);
  const findings = inOrder([...(await within(startMsMax, asked, [late])), ...fleet]);
  // The ledger is opened beside this look, with more patience, and refuses to start by itself where PostgreSQL is not there.
  const refusals = findings.filter(({ check, level }) => level === 'refusal' && check !== 'postgres-reachable');
  const [first] = refusals;
  if (first !== undefined) {
    const more = refusals.length === 1 ? '' : ` And ${refusals.length - 1} more: run "scangate doctor".`;
    throw new ScanGateError('SG_UNSAFE', `${inSentences(first)}${more}`);
  }
  return findings.filter(({ level }) => level !== 'ok').map(inSentences);
}

type Ask = (options: { readonly clock: Clock; readonly withinMs: number }) => Promise<Finding[]>;

/** Asks the servers of the settings. Their clients are read first: that takes time which no server should have to answer for. */
async function askerOf(config: Config): Promise<Ask> {
  const askRedis = config.redis === '' ? undefined : await redisAskerOf(config);
  const askPostgres = config.postgres === '' ? undefined : await postgresAskerOf(config);
  return async (options) => (await Promise.all([askRedis?.(options) ?? [], askPostgres?.(options) ?? []])).flat();
}

async function redisAskerOf(config: Config): Promise<Ask> {
  const [{ probeRedis }, { redisFindings }] = await Promise.all([import('./redis-probe.ts'), import('./redis-findings.ts')]);
  return async ({ clock, withinMs }) => {
    const options = { clock, withinMs: Math.min(withinMs, redisMsMax), asksForDisk: config.redis_wait_aof };
    return redisFindings(await probeRedis(config.redis, options), config);
  };
}

async function postgresAskerOf(config: Config): Promise<Ask> {
  const [{ probePostgres }, { postgresFindings }] = await Promise.all([
    import('./postgres-probe.ts'),
    import('./postgres-findings.ts'),
  ]);
  return async (options) => postgresFindings(await probePostgres(config.postgres, options), config);
}
