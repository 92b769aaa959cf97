/** A connection over which exactly the bytes go that a test writes. */
import { connect, type Socket } from 'node:net';
import type { ServerProcess } from './server.ts';

export class ClientSocket {
  readonly #socket: Socket;
  readonly #parts: Buffer[] = [];
  /** Resolves with the time, by `performance.now()`, at which the server has ended the connection. */
  readonly closed: Promise<number>;

  constructor({ port }: Pick<ServerProcess, 'port'>) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    this.#socket.on('data', (part: Buffer) => this.#parts.push(part));
    this.#socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.#socket.once('close', () => resolve(performance.now())));
  }

  write(bytes: string | Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** Stops reading, as a client that hangs. */
  pause(): void {
    this.#socket.pause();
  }

  /** Goes away without a word. */
  destroy(): void {
    this.#socket.resetAndDestroy();
  }

  /** What has come so far. */
  get received(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }

  /** The status lines of the answers so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
}

/** The text of a POST of scans, with the length of its body. */
export function postText(body: string, { type = 'application/json', length = Buffer.byteLength(body) } = {}): string {
  return `POST /v1/scans HTTP/1.1\r\nHost: scangate\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`;
}
