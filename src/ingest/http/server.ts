/**
 * The HTTP server: limits, routes, problems. It puts nothing together itself; what it serves is given to it.
 *
 * A client that does not finish what it began is cut off: headers within 3.5 s, each next part of a body within 3.5 s, and one that
 * does not read its answers as well. Nothing is coerced and nothing is stripped from what clients send.
 */
import Fastify, { type FastifyInstance, type FastifyServerOptions, type RouteOptions } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { ScanGateError } from '../../base/errors.ts';
import { type Fault, validatorOf } from '../../base/json-schema.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Quarantine } from '../../gate/quarantine.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { TimeRules } from '../../scan/occurred-at.ts';
import { quoted } from '../../scan/rejection.ts';
import { answerBrokenRequest, trackAnswer } from './client-error.ts';
import { openApiInfo, scansRouteSchema } from './openapi.ts';
import { registerQuarantineRoutes } from './quarantine-routes.ts';
import { registerReadRoutes } from './read-routes.ts';
import { ScansHandler, type ScansLimits } from './scans.ts';
import { sendProblem } from './send.ts';

export interface HealthReport {
  readonly live: boolean;
  readonly ready: boolean;
  readonly [detail: string]: unknown;
}

export interface HttpOptions {
  readonly gate: Gate;
  readonly reader: LedgerReader;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly timeRules: TimeRules;
  readonly limits: ScansLimits;
  readonly health: () => Promise<HealthReport>;
  /** Prometheus text, and its content type. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** An error that is a defect of ours; the client is told nothing of it. */
  readonly failed: (error: unknown) => void;
  /** How long a connection with a request under way may lie still, ms: longer than an answer may take. */
  readonly stillMsMax: number;
}

/** Half-sent headers and bodies are given up after this; with the check four times a second, a client is cut off within 5 s. */
export const idleMsMax = 3_500;

interface ParameterSchema {
  readonly schema: Parameters<typeof validatorOf>[0];
  readonly httpPart?: string;
}

/** Given when the server is made: else Fastify reads its own compilers first, a hundred files, and is then told that these take their place. */
const compilersFactory = {
  buildValidator() {
    return ({ schema, httpPart }: ParameterSchema) => {
      if (httpPart === 'body') return () => true;
      const validator = validatorOf(schema);
      return (value: unknown) => validator.isValid(value) || { error: requestError(validator.faultsOf(value)) };
    };
  },
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

/** Its type knows only the compilers of Ajv. */
const schemaController = { compilersFactory } as unknown as NonNullable<FastifyServerOptions['schemaController']>;

export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const server = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // While it stops, the gate answers what still comes, as a problem and with Retry-After.
    return503OnClosing: false,
    requestTimeout: 300_000,
    connectionTimeout: options.stillMsMax,
    // Longer than load balancers keep a connection, so that they end it first and no request meets a closing one.
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 256 },
    http: { maxHeaderSize: 16 * 1024, headersTimeout: idleMsMax, connectionsCheckingInterval: 250 },
    frameworkErrors: (error, _request, reply) => {
      void sendProblem(reply, error.statusCode ?? 400, 'SG_REQUEST_INVALID', 'The address of the request is not understood.');
    },
    clientErrorHandler: answerBrokenRequest,
    schemaController,
  });
  server.addHook('onRequest', async ({ raw }, reply) => trackAnswer(raw.socket, reply.raw));
  server.removeAllContentTypeParsers();
  // Bodies are read by the handler, chunk by chunk, under its own limits.
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  answerErrors(server, options.failed);
  registerRoutes(server, options);
  return server;
}

function registerRoutes(server: FastifyInstance, options: HttpOptions): void {
  const scans = new ScansHandler(options);
  let page: Promise<unknown> | undefined;
  server.post('/v1/scans', { schema: scansRouteSchema, errorHandler: takeAnyContentType(scans) }, (request, reply) =>
    scans.handle(request, reply),
  );
  registerReadRoutes(server, options.reader);
  registerQuarantineRoutes(server, options.reader, options.quarantine);
  server.get(
    '/v1/health',
    { schema: { summary: 'Whether it lives, and whether it can take scans' } },
    async (_request, reply) => {
      const report = await options.health();
      return reply.code(report.ready ? 200 : 503).send(report);
    },
  );
  server.get('/metrics', { schema: { summary: 'Prometheus metrics' } }, async (_request, reply) => {
    const { contentType, text } = await options.metrics();
    return reply.type(contentType).serializer(String).send(text);
  });
  server.get('/v1/openapi.json', { schema: { summary: 'This page' } }, () => {
    page ??= openApiPage(options).catch((error: unknown) => {
      // Whoever asks later asks anew.
      page = undefined;
      throw error;
    });
    return page;
  });
}

/** What makes the page is read by those who ask for it: it takes a tenth of a start, and most servers are never asked. */
async function openApiPage(options: HttpOptions): Promise<unknown> {
  const { default: swagger } = await import('@fastify/swagger');
  // A server with the same routes, which never listens.
  const server = Fastify({ exposeHeadRoutes: false, schemaController });
  await server.register(swagger, { openapi: openApiInfo });
  registerRoutes(server, options);
  await server.ready();
  return server.swagger();
}

/** A content type that Fastify does not understand is the handler's to refuse, with what was sent, like every other. */
function takeAnyContentType(scans: ScansHandler): RouteOptions['errorHandler'] & object {
  return function (error, request, reply) {
    if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') this.errorHandler(error, request, reply);
    else scans.handle(request, reply).catch((failure: unknown) => reply.send(failure));
  };
}

function answerErrors(server: FastifyInstance, failed: (error: unknown) => void): void {
  server.setNotFoundHandler((request, reply) =>
    sendProblem(reply, 404, 'SG_NOT_FOUND', `There is no ${request.method} ${request.url.slice(0, 200)}.`),
  );
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    // The client has gone in the middle of its request: there is no one to answer, and nothing has failed.
    if (request.raw.destroyed && !request.raw.complete) return reply.code(400).send();
    if (error instanceof ScanGateError && error.code === 'SG_REQUEST_INVALID')
      return sendProblem(reply, 400, error.code, error.message);
    if (error instanceof ScanGateError && error.retryable) {
      return sendProblem(reply.header('retry-after', '1'), 503, error.code, error.message);
    }
    const status = error.statusCode ?? 500;
    if (status < 500) return sendProblem(reply, status, 'SG_REQUEST_INVALID', error.message);
    failed(error);
    return sendProblem(reply, 500, 'SG_INTERNAL', 'ScanGate failed. Nothing was acknowledged; send it again.');
  });
}

function requestError(errors: readonly Fault[]): ScanGateError {
  const [first] = errors;
  const name = quoted(first?.instancePath.slice(1) ?? '');
  const why = first?.message === 'schema is false' ? 'there is none of this name' : `it ${first?.message ?? 'is wrong'}`;
  return new ScanGateError('SG_REQUEST_INVALID', `The parameter ${name} is not understood: ${why}.`);
}
