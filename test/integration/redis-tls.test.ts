/** Claims over TLS, with a password: to one server, and through a Sentinel of its own password. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { request } from '../support/claim-worker.ts';
import { storeAt } from '../support/redis-scene.ts';
import { freePort, startRedis } from '../support/redis-server.ts';
import { startSentinelOf } from '../support/redis-topologies.ts';
import { temporaryFolder } from '../support/server.ts';

interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate for the loopback address, signed by itself. */
function selfSigned(): Certificate {
  const folder = temporaryFolder();
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...made, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { certificate, key };
}

test('a server is claimed from over TLS when its certificate is known, and not at all when it is not', async () => {
  const { certificate, key } = selfSigned();
  const port = await freePort();
  const tls = { 'tls-port': `${port}`, 'tls-cert-file': certificate, 'tls-key-file': key, 'tls-auth-clients': 'no' };
  await startRedis({ ...tls, 'tls-ca-cert-file': certificate, requirepass: 'p@ss' });
  const url = `rediss://:p%40ss@127.0.0.1:${port}/3`;
  const known = await storeAt(url, { tls: { ca: readFileSync(certificate) } });
  expect(await known.claim(request())).toEqual({ kind: 'first' });
  const unknown = await storeAt(url);
  expect(await unknown.claim(request())).toEqual({
    kind: 'unavailable',
    reason: 'Redis cannot be reached: self-signed certificate',
  });
});

test('a Sentinel and its master are each given their own password', async () => {
  const master = await startRedis({ requirepass: 'of-master' });
  const sentinel = await startSentinelOf(master, { 'auth-pass': 'of-master', requirepass: 'of-sentinel' });
  const url = `redis+sentinel://:of-master@127.0.0.1:${sentinel.port}/claims`;
  const store = await storeAt(`${url}?sentinel_password=of-sentinel`);
  expect(await store.claim(request())).toEqual({ kind: 'first' });
  const locked = await storeAt(url);
  expect((await locked.claim(request())).kind).toBe('unavailable');
});
