// Redis at one address, whichever server is the primary, as a load balancer or a virtual address gives it to clients that know no Sentinel.
import { connect, createServer } from 'node:net';
import { Redis } from 'ioredis';

const askMsMax = 1_000;

/** @returns the address that leads to the primary, asked of the Sentinel for each new connection. */
export async function startPrimaryLink(sentinelPort) {
  const sentinel = new Redis({ port: sentinelPort, host: '127.0.0.1', commandTimeout: askMsMax });
  sentinel.on('error', () => undefined);
  const primary = () => sentinel.call('sentinel', 'get-master-addr-by-name', 'claims').catch(() => undefined);
  const server = createServer((client) => {
    client.on('error', () => undefined);
    void primary().then((address) => lead(client, address));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `redis://127.0.0.1:${server.address().port}`;
}

function lead(client, address) {
  if (!Array.isArray(address)) return client.destroy();
  const onward = connect(Number(address[1]), address[0]);
  onward.on('error', () => client.destroy());
  client.on('close', () => onward.destroy());
  onward.on('close', () => client.destroy());
  return client.pipe(onward).pipe(client);
}
