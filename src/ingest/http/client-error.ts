/** What is not HTTP, or does not become a request in time, is answered with a problem like every other refusal. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from './answer.ts';

/** Answers that are not sent to their end, by connection. */
const underWay = new WeakMap<Socket, Set<ServerResponse>>();

export function trackAnswer(socket: Socket, response: ServerResponse): void {
  const responses = underWay.get(socket) ?? new Set();
  underWay.set(socket, responses.add(response));
  response.once('close', () => responses.delete(response));
}

/**
 * Ends the connection. While an earlier request on it waits for its answer nothing is written: the client would take it for that
 * answer.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  const answers = underWay.get(socket)?.size ?? 0;
  if (error.code !== 'ECONNRESET' && socket.writable && answers === 0) socket.write(answerTo(error.code));
  socket.destroySoon();
}

function answerTo(errorCode: string | undefined): string {
  const { status, body } = problemOf(errorCode);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

function problemOf(errorCode: string | undefined): { status: number; body: string } {
  const made =
    errorCode === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? problem(408, 'SG_REQUEST_TIMEOUT', 'The rest of the request did not arrive in time.')
      : errorCode === 'HPE_HEADER_OVERFLOW'
        ? problem(431, 'SG_REQUEST_INVALID', 'The headers of the request are larger than 16 KB.')
        : problem(400, 'SG_REQUEST_INVALID', 'This is not an HTTP request.');
  return { status: made.status, body: JSON.stringify(made) };
}
