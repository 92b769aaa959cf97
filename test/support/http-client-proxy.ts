/** A proxy that loses answers: it hands requests on, waits until the server has answered, and resets the client's connection. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Address } from './http-client.ts';

export interface SwallowingProxy extends Address {
  /** How many answers it has swallowed. */
  readonly swallowed: number;
  close(): Promise<void>;
}

export async function swallowingProxy(server: { readonly port: number }): Promise<SwallowingProxy> {
  let swallowed = 0;
  const proxy = createServer((client) => {
    const upstream = connect({ port: server.port, host: '127.0.0.1' });
    client.pipe(upstream);
    upstream.once('data', () => {
      swallowed += 1;
      upstream.destroy();
      client.resetAndDestroy();
    });
    ignoreErrors(client, upstream);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get swallowed() {
      return swallowed;
    },
    close: () => closed(proxy),
  };
}

function ignoreErrors(...sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.on('error', () => undefined);
}

function closed(proxy: Server): Promise<void> {
  return new Promise((resolve) => proxy.close(() => resolve()));
}
