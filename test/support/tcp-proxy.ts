/**
 * A proxy for connections to Redis that does on purpose what networks do by accident.
 *
 * A fault begins for a connection with the first command of it that is named in `beginsWith`, so that the handshake passes and
 * each fault meets what it is meant for; `handshakes` lets it begin with the first byte.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type ProxyFault =
  /** Everything passes. */
  | { readonly kind: 'none' }
  /** Requests reach the server, replies never come back, and the connection stays open. */
  | { readonly kind: 'swallow'; readonly handshakes?: true }
  /** The request is applied; the connection is reset when the server has replied, and the reply is lost. */
  | { readonly kind: 'reset' }
  /** Replies come, and in order, but so many ms later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The first reply is lost, and all later ones come: what no network does, and the worst for replies matched by their order. */
  | { readonly kind: 'swallow one' };

export interface TcpProxy {
  readonly port: number;
  fault: ProxyFault;
  /** How often a reply was lost or held back. */
  readonly hits: number;
  /** Chunks that clients have sent, in order: what travelled together. */
  readonly requests: readonly string[];
  /** Where new connections lead to. */
  target: number;
  /** Resets all connections, both sides, with what is in their buffers. */
  cut(): void;
  close(): Promise<void>;
}

const claimCommands = /\r\n(?:set|evalsha|eval)\r\n/i;

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const proxy = new FaultyProxy(target);
  await proxy.listen();
  return proxy;
}

class FaultyProxy implements TcpProxy {
  fault: ProxyFault = { kind: 'none' };
  hits = 0;
  readonly requests: string[] = [];
  target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(target: number) {
    this.target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): Promise<void> {
    this.cut();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(client: Socket): void {
    const server = connect({ port: this.target, host: '127.0.0.1' });
    this.#pair(client, server);
    const replies = new Replies(client, () => {
      this.hits += 1;
    });
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      this.requests.push(text);
      const handshakes = this.fault.kind === 'swallow' && this.fault.handshakes === true;
      if (handshakes || claimCommands.test(text)) replies.fault = this.fault;
      server.write(bytes);
    });
    server.on('data', (bytes) => replies.take(bytes));
  }

  #pair(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}

/** What happens to the replies of one connection. */
class Replies {
  fault: ProxyFault = { kind: 'none' };
  readonly #client: Socket;
  readonly #hit: () => void;
  #swallowed = false;

  constructor(client: Socket, hit: () => void) {
    this.#client = client;
    this.#hit = hit;
  }

  take(bytes: Buffer): void {
    const { fault } = this;
    switch (fault.kind) {
      case 'none':
        this.#pass(bytes);
        return;
      case 'swallow':
        this.#hit();
        return;
      case 'reset':
        this.#hit();
        this.#client.resetAndDestroy();
        return;
      case 'delay':
        this.#hit();
        setTimeout(() => this.#pass(bytes), fault.ms);
        return;
      case 'swallow one':
        this.#pass(this.#swallowed ? bytes : this.#withoutFirst(bytes));
        return;
    }
  }

  /** Without the first reply: a null or an error, one line; text, two. */
  #withoutFirst(bytes: Buffer): Buffer {
    this.#swallowed = true;
    this.#hit();
    const text = bytes.toString('latin1');
    const [first = '', second = ''] = text.split('\r\n');
    const bulk = first.startsWith('$') && first !== '$-1';
    return bytes.subarray(first.length + 2 + (bulk ? second.length + 2 : 0));
  }

  #pass(bytes: Buffer): void {
    if (!this.#client.destroyed && bytes.length > 0) this.#client.write(bytes);
  }
}
