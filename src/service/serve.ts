/**
 * A running server, from settings to shutdown.
 *
 * Start: ledger, with a hold on its directory where it is embedded; claims, a look at the servers of a fleet, HTTP. Stop: refuse new
 * work, finish what was taken, close the ledger, give the directory back. Whatever cannot be started is one sentence with a code, and
 * nothing is left behind.
 */

import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { systemClock } from '../base/clock.ts';
import { within } from '../base/deadline.ts';
import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import { createHttpServer, idleMsMax } from '../ingest/http/server.ts';
import { type Config, timeRulesOf } from './config.ts';
import { logDecision, sorted } from './decision-log.ts';
import { examineForStart } from './doctor/examine.ts';
import { Health, statusMsMax } from './health.ts';
import { Metrics } from './metrics.ts';
import { openSystem, type System } from './system.ts';

/** How long clients have to read the last answers when the server stops. */
const lastAnswersMs = 5_000;

export interface RunningServer {
  readonly url: string;
  /** Where the ledger is: a directory, or a database without its password. */
  readonly place: string;
  /** Each in a few sentences. */
  readonly warnings: readonly string[];
  /** Finishes what was taken, then ends. Safe to call twice. */
  stop(): Promise<void>;
}

export async function serve(config: Config, logger: Logger): Promise<RunningServer> {
  let system: System | undefined;
  try {
    const health = new Health(systemClock);
    const metrics = new Metrics(
      () => system?.gate.queueDepth ?? 0,
      async () => system && within(statusMsMax, system.ledger.status(), undefined),
      config.redis === '' && config.etcd === '' ? undefined : () => system?.claims,
    );
    const examined = examineForStart(config);
    // What opening it finds comes first; until then nobody waits for this.
    examined.catch(() => undefined);
    system = await openSystem(
      config,
      {
        decided(verdict) {
          logDecision(logger, systemClock, verdict);
          metrics.decided(verdict);
        },
        appended(items, durationMs, error) {
          metrics.appended(items, durationMs, error);
          health.appended(error);
          if (error !== undefined)
            logger.error(sorted({ at: now(), event: 'ledger_failed', code: error.code, message: error.message }));
        },
        degraded: () => metrics.degraded(),
        preFiltered: (answer) => metrics.preFiltered(answer),
      },
      true,
    );
    const warnings = [...(system.warning === undefined ? [] : [system.warning]), ...(await examined)];
    const server = await httpServer(config, system, health, metrics, logger);
    const url = await listen(server, config);
    logger.info(sorted({ at: now(), event: 'listening', url, data: system.place }));
    const stop = stopper(server, system, health);
    return { url, place: system.place, stop, warnings };
  } catch (error) {
    await system?.close();
    throw error;
  }
}

function httpServer(config: Config, system: System, health: Health, metrics: Metrics, logger: Logger): Promise<FastifyInstance> {
  const { gate, ledger, quarantine } = system;
  return createHttpServer({
    gate,
    reader: ledger,
    quarantine,
    clock: systemClock,
    timeRules: timeRulesOf(config),
    limits: {
      bodyBytesMax: config.body_bytes_max,
      streamBytesMax: config.stream_bytes_max,
      itemBytesMax: config.item_bytes_max,
      batchItemsMax: config.batch_items_max,
      // One request never fills the queue: what it holds beyond this waits with the client.
      inFlightMax: Math.min(Math.ceil(config.queue_items_max / 4), 1_000),
      bodyIdleMsMax: idleMsMax,
    },
    stillMsMax: config.answer_ms_max + 5_000,
    health: () => health.report(system),
    metrics: () => metrics.text(),
    failed: (error) =>
      logger.error(sorted({ at: now(), event: 'defect', message: error instanceof Error ? error.stack : String(error) })),
  });
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    const why = messageOf(error);
    throw new ScanGateError(
      'SG_ADDRESS',
      `The address ${host}:${port} cannot be listened on: ${why}. Give another --host or --port.`,
      { cause: error },
    );
  }
  const { port: taken, address, family } = server.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

function stopper(server: FastifyInstance, system: System, health: Health): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= (async () => {
      health.stopping();
      const closed = server.close();
      // What was taken is decided; what still comes is told to try again.
      await system.gate.drain();
      // Answers are on their way. A client that neither reads them nor goes away is not waited for.
      if ((await within(lastAnswersMs, closed, 'late' as const)) === 'late') server.server.closeAllConnections();
      await system.close();
    })();
    return stopped;
  };
}

function now(): string {
  return new Date(systemClock.nowMs()).toISOString();
}
