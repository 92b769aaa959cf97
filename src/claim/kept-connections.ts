/**
 * Small requests over connections that are kept for the next ones.
 *
 * In: an address, headers, text. Out: a status and text. What can go wrong: whatever can with a connection; then it rejects. As `fetch`, for
 * a third of its time; it follows no redirect and asks for no compression. It keeps no process alive.
 */
import { Agent, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps, Agent as TlsAgent } from 'node:https';
import type { FetchInit, FetchReply } from './etcd-calls.ts';

export class KeptConnections {
  readonly #plain = new Agent({ keepAlive: true });
  readonly #tls = new TlsAgent({ keepAlive: true });

  fetch(url: string, { method, headers, body, signal }: FetchInit): Promise<FetchReply> {
    const isPlain = url.startsWith('http:');
    const all = { 'content-type': 'application/json', ...headers, 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const answered = (response: IncomingMessage): void => {
        resolve({ status: response.statusCode ?? 0, text: () => textOf(response) });
      };
      const options = { method, headers: all, signal };
      const sent = isPlain
        ? overHttp(url, { ...options, agent: this.#plain }, answered)
        : overHttps(url, { ...options, agent: this.#tls }, answered);
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Ends what is idle. What is under way is answered; its connection keeps nothing alive after that. */
  close(): void {
    for (const { freeSockets } of [this.#plain, this.#tls]) {
      for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
    }
  }
}

function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text += part;
    });
    response.on('end', () => resolve(text));
    response.on('error', reject);
  });
}
