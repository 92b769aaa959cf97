import type { FastifySchema } from 'fastify';
import { Type } from '../../base/json-schema.ts';
import { wireScanSchema } from '../../scan/wire-schema.ts';

export const openApiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'ScanGate',
    description: 'One physical scan, one ledger entry: whoever receives it, however often it is sent, whatever fails.',
    version: '1',
    license: { name: 'Apache-2.0' },
  },
} as const;

const entrySchema = Type.Object({ id: Type.String(), facility_uuid: Type.String(), line: Type.Integer() });
const flagsSchema = Type.Array(Type.String());

const committed = Type.Object({
  outcome: Type.Literal('committed'),
  scan_uuid: Type.Optional(Type.String()),
  entry: entrySchema,
  claim_key: Type.String(),
  occurred_at: Type.Integer({ description: 'Epoch milliseconds, UTC.' }),
  scan: Type.Unknown({ description: 'The scan as it was understood.' }),
  flags: flagsSchema,
});
const suppressed = Type.Object({
  outcome: Type.Literal('suppressed'),
  scan_uuid: Type.Optional(Type.String()),
  of: entrySchema,
  claim_key: Type.String(),
  gap_ms: Type.Integer(),
  window_ms: Type.Integer(),
  arbiter: Type.Enum(['claim', 'ledger']),
  reason: Type.Enum(['same_scan_id', 'same_content']),
  flags: flagsSchema,
});
const problemFields = {
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String(),
  message: Type.String(),
};
const conflict = Type.Object({
  ...problemFields,
  outcome: Type.Literal('conflict'),
  of: entrySchema,
  claim_key: Type.String(),
  differs: Type.Array(Type.String()),
});
const rejected = Type.Object({
  ...problemFields,
  outcome: Type.Literal('rejected'),
  field: Type.Optional(Type.String()),
  quarantine_id: Type.String({ description: 'What was received is kept under this id.' }),
});
const unavailable = Type.Object({ ...problemFields, outcome: Type.Literal('unavailable'), retry_after_s: Type.Integer() });
const mixed = Type.Array(Type.Unknown({ description: 'Any of the answers, in the order of the request.' }));

const inProblem = (schema: unknown, description: string) => ({
  description,
  content: { 'application/problem+json': { schema } },
});
const inJson = (schema: unknown, description: string) => ({ description, content: { 'application/json': { schema } } });

/** For the OpenAPI page alone: bodies are validated scan by scan, and answers are written as they are. */
export const scansRouteSchema: FastifySchema = {
  summary: 'Decide one scan, an array of scans, or NDJSON',
  description:
    'An array or NDJSON is answered with an answer for each scan, in order; the status is theirs, or 207 when they differ.',
  headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String({ description: 'The scan id, for a single scan.' })) }),
  body: {
    content: {
      'application/json': { schema: Type.Union([wireScanSchema, Type.Array(wireScanSchema)]) },
      'application/x-ndjson': { schema: wireScanSchema },
    },
  },
  response: {
    200: inJson(suppressed, 'A duplicate, suppressed; `of` is the entry it duplicates.'),
    201: inJson(committed, 'Committed and on disk.'),
    207: inJson(mixed, 'Several scans with different outcomes.'),
    400: inProblem(rejected, 'Not readable.'),
    408: inProblem(rejected, 'The rest of the body did not arrive in time.'),
    413: inProblem(rejected, 'Too large.'),
    415: inProblem(rejected, 'A content type or encoding that is not taken.'),
    422: inProblem(Type.Union([rejected, conflict]), 'Refused, or a scan id used before with other content.'),
    503: inProblem(unavailable, 'Not decided. Send it again.'),
  },
} as FastifySchema;
