// Redis at one address, whichever server is the primary, as a load balancer or a virtual address gives it to clients that know no Sentinel.
import { connect, createServer } from 'node:net';
import { Redis } from 'ioredis';

const askMsMax = 1_000;

/** @returns the address that leads to the primary, asked of the Sentinel for each new connection. */
export async function startPrimaryLink(sentinelPort) {
  const sentinel = new Redis({ port: sentinelPort, host: '127.0.0.1', commandTimeout: askMsMax });
  sentinel.on('error', () => undefined);
  const server = createServer(async (client) => {
    client.on('error', () => undefined);
    const primary = await sentinel.call('sentinel', 'get-master-addr-by-name', 'claims').catch(() => undefined);
    if (!Array.isArray(primary)) return client.destroy();
    const onward = connect(Number(primary[1]), primary[0]);
    onward.on('error', () => client.destroy());
    client.on('close', () => onward.destroy());
    onward.on('close', () => client.destroy());
    client.pipe(onward).pipe(client);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `redis://127.0.0.1:${server.address().port}`;
}
