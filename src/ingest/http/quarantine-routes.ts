/** What was rejected, over HTTP: to be read, released or discarded. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { ScanGateError } from '../../base/errors.ts';
import { Type } from '../../base/json-schema.ts';
import { type Validator, validatorOf } from '../../base/validator.ts';
import type { Quarantine, ReleaseResult } from '../../gate/quarantine.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { quarantineItem, resolvedBefore } from '../../ledger/quarantine-entry.ts';
import { readJson } from '../../scan/read-json.ts';
import { answerOf } from './answer.ts';
import { codedOrThrow, RequestBody } from './body.ts';
import { collect, decodeUtf8 } from './body-text.ts';
import { pageQueryOf, pageQuerySchema } from './read-routes.ts';
import { sendAnswer, sendProblem } from './send.ts';

const listSchema = Type.Object(
  {
    ...pageQuerySchema.properties,
    status: Type.Optional(Type.Enum(['open', 'all'], { description: 'Only what is open, or everything; open when left out.' })),
  },
  { additionalProperties: false },
);
const idSchema = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64, description: 'As in `quarantine_id`.' }) });
const answersFor = {
  actor: Type.String({ description: 'Who answers for it, 1 to 128 characters.' }),
  reason: Type.String({ description: 'Why, 1 to 500 characters.' }),
};
const discardSchema = Type.Object(answersFor, { additionalProperties: false });
const releaseSchema = Type.Object(
  {
    ...answersFor,
    corrections: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Fields of the scan to be put in place of what came; null takes one out.',
      }),
    ),
  },
  { additionalProperties: false },
);

const isDiscard = validatorOf(discardSchema);
const isRelease = validatorOf(releaseSchema);

const bodyLimits = { bytesMax: 64 * 1024, sentBytesMax: 64 * 1024, idleMsMax: 3_500 };

type WithId = { Params: Static<typeof idSchema> };

export function registerQuarantineRoutes(server: FastifyInstance, reader: LedgerReader, quarantine: Quarantine): void {
  server.get<{ Querystring: Static<typeof listSchema> }>(
    '/v1/quarantine',
    { schema: { summary: 'What was rejected, in the order in which it came', querystring: listSchema } },
    async ({ query: { status = 'open', ...query } }) => {
      const { items, next } = await reader.quarantine({ ...pageQueryOf(query), isOpen: status === 'open' });
      return { items: items.map(quarantineItem), next };
    },
  );
  server.get<WithId>(
    '/v1/quarantine/:id',
    { schema: { summary: 'One input that was rejected, with its raw bytes', params: idSchema } },
    async ({ params: { id } }, reply) => {
      const entry = await reader.quarantineEntry(id);
      if (entry === undefined) return notFound(reply);
      const raw = (await reader.quarantined(id)) ?? new Uint8Array();
      return { ...quarantineItem(entry), raw_base64: Buffer.from(raw).toString('base64') };
    },
  );
  server.post<WithId>(
    '/v1/quarantine/:id/release',
    { schema: { summary: 'Release it as a scan, with corrections', params: idSchema, body: inJson(releaseSchema) } },
    async (request, reply) => {
      const body = await bodyOf(request, isRelease);
      const result = await quarantine.release({ id: request.params.id, ...body });
      if (result.kind === 'decided') return sendAnswer(reply, answerOf(result.verdict));
      return sendUndone(reply, result);
    },
  );
  server.post<WithId>(
    '/v1/quarantine/:id/discard',
    { schema: { summary: 'Discard it: it never becomes a scan', params: idSchema, body: inJson(discardSchema) } },
    async (request, reply) => {
      const body = await bodyOf(request, isDiscard);
      const result = await quarantine.discard({ id: request.params.id, ...body });
      if (result.kind === 'discarded') return quarantineItem(result.entry);
      return sendUndone(reply, result);
    },
  );
}

function inJson(schema: unknown) {
  return { content: { 'application/json': { schema } } };
}

/** @throws ScanGateError `SG_REQUEST_INVALID` with one sentence. */
async function bodyOf<T>({ raw, headers }: FastifyRequest, shape: Validator<T>): Promise<T> {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const { bytes, error } = await collect(new RequestBody(raw, bodyLimits).chunks());
  if (error !== undefined) throw invalid(codedOrThrow(error).message);
  if (type !== 'application/json') throw invalid('The body is not application/json.');
  const json = readJson(decodeUtf8(bytes) ?? '');
  if (!json.ok) throw invalid(json.error.message);
  if (shape.isValid(json.value)) return json.value;
  const fault = shape.faultOf(json.value);
  const name = fault?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  throw invalid(`${name === '' ? 'The body' : name} ${fault?.message ?? 'is not understood'}.`);
}

function invalid(message: string): ScanGateError {
  return new ScanGateError('SG_REQUEST_INVALID', message);
}

function notFound(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, 404, 'SG_NOT_FOUND', 'There is nothing in quarantine under this id.');
}

function sendUndone(reply: FastifyReply, result: Exclude<ReleaseResult, { kind: 'decided' }>): FastifyReply {
  if (result.kind === 'not_found') return notFound(reply);
  if (result.kind === 'resolved_before') {
    const quarantine = quarantineItem(result.entry);
    return sendProblem(reply, 409, 'SG_QUARANTINE_RESOLVED', `It ${resolvedBefore(result.entry)}`, { quarantine });
  }
  const { code, message, ...more } = result.rejection;
  return sendProblem(reply, 422, code, message, more);
}
