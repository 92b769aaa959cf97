/**
 * A way over TCP that does on purpose what networks do by accident. Whoever is to use it connects to its port; it leads to `target`.
 *
 * In: bytes of both sides. Out: the same bytes, in order; or late, or not at all, with the connection cut or silently open. A connection
 * that was passed a part of something is never passed the rest of it out of order: what was held is delivered whole, or the connection is reset.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { LinkConnection } from './link-connection.ts';
import type { LinkFault, LinkFaultScope } from './link-fault.ts';

export class FaultyLink {
  readonly name: string;
  /** Where new connections lead to. */
  target: number;
  /** How many requests, replies or connections met a fault. */
  hits = 0;
  readonly #listening: Server;
  readonly #connections = new Set<LinkConnection>();
  #faults: readonly { readonly fault: LinkFault; readonly scope: LinkFaultScope }[] = [];
  #opened = 0;
  #port = 0;

  constructor(name: string, target: number) {
    this.name = name;
    this.target = target;
    // A side that has nothing more to say may still be told something.
    this.#listening = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client));
  }

  /** Where it listens, or did before it was closed; 0 before it has begun to. */
  get port(): number {
    return this.#port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => {
      this.#listening.listen(0, '127.0.0.1', () => {
        this.#port = (this.#listening.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  close(): Promise<void> {
    this.reset();
    return new Promise((resolve) => this.#listening.close(() => resolve()));
  }

  /** @returns ends the fault. */
  begin(fault: LinkFault, scope: LinkFaultScope = {}): () => void {
    const begun = { fault, scope };
    this.#faults = [...this.#faults, begun];
    if (fault.kind === 'closed') this.reset(scope);
    return () => {
      this.#faults = this.#faults.filter((one) => one !== begun);
      for (const connection of this.#connections) connection.faultsChanged();
    };
  }

  /** Cuts connections, with all that was on its way in them. */
  reset(scope: LinkFaultScope = {}): void {
    for (const connection of this.#connections) if (meets(scope, connection)) connection.reset();
  }

  #accept(client: Socket): void {
    this.#opened += 1;
    const connection = new LinkConnection(client, this.target, this.#opened, {
      faults: (one) => this.#faults.filter(({ scope }) => meets(scope, one)).map(({ fault }) => fault),
      hit: () => {
        this.hits += 1;
      },
      closed: (one) => this.#connections.delete(one),
    });
    this.#connections.add(connection);
  }
}

function meets({ user, isHalf }: LinkFaultScope, connection: LinkConnection): boolean {
  return (user === undefined || connection.user === user) && (isHalf !== true || connection.number % 2 === 0);
}
