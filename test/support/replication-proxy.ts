/**
 * A proxy between a replica of Redis and its master that can lose, from some moment on, all that the master sends.
 *
 * A master that is killed on the loopback interface loses nothing: what it had written to its sockets still arrives. A master whose
 * machine dies does.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEveryFile } from './ends.ts';

export interface ReplicationProxy {
  readonly port: number;
  /** Bytes of the master that were lost. */
  readonly lostBytes: number;
  /** From now on the replica gets nothing more, and the master does not notice. */
  lose(): void;
}

const servers = new Set<Server>();
const sockets = new Set<Socket>();

afterEveryFile(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  sockets.clear();
  servers.clear();
});

export async function startReplicationProxy(masterPort: number): Promise<ReplicationProxy> {
  let isLosing = false;
  let lostBytes = 0;
  const server = createServer((replica) => {
    const master = connect({ port: masterPort, host: '127.0.0.1' });
    pair(replica, master);
    replica.on('data', (bytes) => master.write(bytes));
    master.on('data', (bytes) => {
      if (isLosing) lostBytes += bytes.length;
      else replica.write(bytes);
    });
  });
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get lostBytes() {
      return lostBytes;
    },
    lose() {
      isLosing = true;
    },
  };
}

function pair(replica: Socket, master: Socket): void {
  for (const [socket, other] of [
    [replica, master],
    [master, replica],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
}
