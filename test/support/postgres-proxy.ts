/** A way to a PostgreSQL server that can lose what is sent with a COMMIT. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket, connect as to } from 'node:net';
import { afterEveryFile } from './ends.ts';

/**
 * What happens to the next COMMIT: it is applied and its answer dropped with the connection; or it is dropped itself; or it is applied,
 * its answer is dropped, and nobody gets through any more.
 */
export type CommitLoss = 'answer' | 'request' | 'answer and way';

/** How the text of a query message ends that commits: not that of `READ COMMITTED`. */
const commitEnd = 'COMMIT\0';

const proxies = new Set<CommitProxy>();

afterEveryFile(async () => {
  await Promise.all([...proxies].map((proxy) => proxy.close()));
  proxies.clear();
});

export async function startCommitProxy(serverPort: number): Promise<CommitProxy> {
  const proxy = new CommitProxy(serverPort);
  await proxy.listen();
  proxies.add(proxy);
  return proxy;
}

export class CommitProxy {
  readonly #serverPort: number;
  readonly #listening: Server;
  readonly #sockets = new Set<Socket>();
  #losing: CommitLoss | undefined;
  #closed = false;
  lostCount = 0;

  constructor(serverPort: number) {
    this.#serverPort = serverPort;
    this.#listening = createServer((client) => this.#join(client));
  }

  async listen(): Promise<void> {
    this.#listening.listen(0, '127.0.0.1');
    await once(this.#listening, 'listening');
  }

  get port(): number {
    return (this.#listening.address() as AddressInfo).port;
  }

  loseCommit(what: CommitLoss): void {
    this.#losing = what;
  }

  /** The way is free again. */
  heal(): void {
    this.#closed = false;
    this.#losing = undefined;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#listening.close();
    await once(this.#listening, 'close');
  }

  #join(client: Socket): void {
    if (this.#closed) {
      client.destroy();
      return;
    }
    const server = to(this.#serverPort, '127.0.0.1');
    const cut = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true).on('error', cut).on('close', cut);
    }
    let dropAnswer = false;
    client.on('data', (bytes) => {
      const loss = bytes.includes(commitEnd) ? this.#losing : undefined;
      if (loss !== undefined) {
        this.#losing = undefined;
        this.lostCount += 1;
        if (loss === 'request') return cut();
        dropAnswer = true;
        this.#closed = loss === 'answer and way';
      }
      server.write(bytes);
    });
    // The server answers a COMMIT when it is done: the answer is what is dropped.
    server.on('data', (bytes) => (dropAnswer ? cut() : client.write(bytes)));
  }
}
