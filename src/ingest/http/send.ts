import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ErrorCode } from '../../base/errors.ts';
import { type Answer, commonStatus, problem, retryAfterSeconds } from './answer.ts';

const ndjson = 'application/x-ndjson; charset=utf-8';

/** How much of the answers to NDJSON is held back, so that the status can be theirs; more than this is answered 207, streamed. */
const heldBytesMax = 8 * 1024 * 1024;

/** One scan: its answer, which is a problem (RFC 9457) when it was not taken. */
export function sendAnswer(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  void reply.code(status);
  retryLater(reply, status);
  if (status < 400) return reply.send(body);
  return sendProblem(reply, status, body['code'] as ErrorCode, String(body['message']), body);
}

export function sendProblem(
  reply: FastifyReply,
  status: number,
  code: ErrorCode,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .send({ ...more, ...problem(status, code, message) });
}

export function sendAnswers(reply: FastifyReply, answers: readonly Answer[]): FastifyReply {
  const status = commonStatus(answers.map((answer) => answer.status));
  retryLater(reply, status);
  return reply.code(status).send(answers.map(({ body }) => body));
}

export async function sendLines(reply: FastifyReply, answers: AsyncGenerator<Answer>): Promise<FastifyReply> {
  const statuses = new Set<number>();
  const held: string[] = [];
  let bytes = 0;
  while (bytes < heldBytesMax) {
    const next = await answers.next();
    if (next.done === true) {
      const status = commonStatus(statuses);
      retryLater(reply, status);
      return reply.code(status).type(ndjson).send(held.join(''));
    }
    const line = lineOf(next.value);
    statuses.add(next.value.status);
    held.push(line);
    bytes += line.length;
  }
  return reply
    .code(207)
    .type(ndjson)
    .send(Readable.from(streamed(held, answers), { highWaterMark: 100 }));
}

async function* streamed(held: readonly string[], rest: AsyncGenerator<Answer>): AsyncGenerator<string> {
  yield held.join('');
  for await (const answer of rest) yield lineOf(answer);
}

function lineOf({ body }: Answer): string {
  return `${JSON.stringify(body)}\n`;
}

function retryLater(reply: FastifyReply, status: number): void {
  if (status === 503) void reply.header('retry-after', String(retryAfterSeconds));
}
