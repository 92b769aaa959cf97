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
 * Ends the connection. While earlier requests on it wait for their answers nothing is written, which the client would take for one
 * of them: they are answered, and then it ends.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  const answers = [...(underWay.get(socket) ?? [])];
  const isRubbish = error.code?.startsWith('HPE_') === true;
  if (answers.length === 0) {
    if (error.code !== 'ECONNRESET' && socket.writable) socket.write(answerTo(error.code));
    socket.destroySoon();
  } else if (isRubbish) answers.at(-1)?.once('close', () => socket.destroySoon());
  else socket.destroy();
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
