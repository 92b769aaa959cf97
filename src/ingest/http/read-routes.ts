/** What can be read over HTTP: ledger, journal and picks. Nothing here writes. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { Type } from '../../base/json-schema.ts';
import type { LedgerReader, Page, PageQuery } from '../../ledger/ledger.ts';
import { sendProblem } from './send.ts';

export const pageQuerySchema = Type.Object(
  {
    facility_uuid: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only this facility.' })),
    after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: '`next` of the page before.' })),
    limit: Type.Optional(
      Type.String({ pattern: '^(?:[1-9]\\d{0,2}|1000)$', description: 'At most so many, 1 to 1000; 100 when left out.' }),
    ),
  },
  { additionalProperties: false },
);

const keySchema = Type.Object({ key: Type.String({ minLength: 1, maxLength: 200, description: 'Claim key of the pick.' }) });

export function registerReadRoutes(server: FastifyInstance, reader: LedgerReader): void {
  server.get<{ Querystring: Static<typeof pageQuerySchema> }>(
    '/v1/ledger',
    { schema: { summary: 'Ledger lines, in the order in which they were committed', querystring: pageQuerySchema } },
    async (request) => pageItself(await reader.lines(pageQueryOf(request.query))),
  );
  server.get<{ Querystring: Static<typeof pageQuerySchema> }>(
    '/v1/journal',
    { schema: { summary: 'Journal records, in the order in which they were committed', querystring: pageQuerySchema } },
    async (request) => pageItself(await reader.records(pageQueryOf(request.query))),
  );
  server.get<{ Params: Static<typeof keySchema> }>(
    '/v1/picks/:key',
    { schema: { summary: 'Every transmission of one physical scan', params: keySchema } },
    async (request, reply) => {
      const { key } = request.params;
      const records = await reader.recordsOfPick(key);
      if (records.length > 0) return { claim_key: key, records };
      return sendProblem(reply, 404, 'SG_NOT_FOUND', 'There is no pick under this claim key.');
    },
  );
}

/** Who reads over HTTP asks again anyway. */
function pageItself<T>({ items, next }: Page<T>): Page<T> {
  return { items, next };
}

export function pageQueryOf({ facility_uuid, after, limit = '100' }: Static<typeof pageQuerySchema>): PageQuery {
  return {
    limit: Number(limit),
    ...(facility_uuid !== undefined && { facilityUuid: facility_uuid }),
    ...(after !== undefined && { after }),
  };
}
