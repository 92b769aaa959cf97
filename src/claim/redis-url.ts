/**
 * One setting says where Redis is:
 *
 *     redis://[user:password@]host[:6379][/db]                       one server, or an address that moves with the master
 *     redis+sentinel://[user:password@]h1[:26379],h2[:26379]/master  whoever the Sentinels say is the master of that name
 *     redis+cluster://[user:password@]h1[:6379],h2[:6379]            a cluster, found by any of its nodes
 *
 * With `rediss` instead of `redis`, everything goes over TLS. User and password are percent-encoded, and belong to the servers;
 * Sentinels of their own password are given it as `?sentinel_password=…`, and `?sentinel_username=…`.
 */
import { ScanGateError } from '../base/errors.ts';

export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

interface Access {
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
}

export type RedisAddress =
  | (Access & { readonly kind: 'single'; readonly server: RedisHost; readonly db: number })
  | (Access & {
      readonly kind: 'sentinel';
      readonly sentinels: readonly RedisHost[];
      readonly master: string;
      readonly sentinelUsername?: string;
      readonly sentinelPassword?: string;
    })
  | (Access & { readonly kind: 'cluster'; readonly nodes: readonly RedisHost[] });

const form = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** @throws ScanGateError `SG_CONFIG_INVALID` for anything else, in a sentence that does not repeat a password. */
export function parseRedisUrl(url: string): RedisAddress {
  const [, secure, kind = 'single', userInfo = '', hosts = '', path = '', query = ''] =
    form.exec(url) ?? refuse('not a Redis address');
  const access: Access = { tls: secure === 's', ...credentialsOf(userInfo) };
  const params = new URLSearchParams(query);
  if (kind === 'sentinel') {
    const master = decoded(path);
    if (master === '') refuse('the name of the master is missing: redis+sentinel://host/name');
    return { kind, ...access, sentinels: hostsOf(hosts, 26_379), master, ...sentinelCredentials(params) };
  }
  if (query !== '') refuse('it has parameters that are not known');
  if (kind === 'cluster') {
    if (path !== '') refuse('a cluster has no numbered databases, and no master by name');
    return { kind, ...access, nodes: hostsOf(hosts, 6_379) };
  }
  const [server, ...others] = hostsOf(hosts, 6_379);
  if (server === undefined || others.length > 0) refuse('several hosts need redis+sentinel:// or redis+cluster://');
  if (!/^\d{0,4}$/.test(path)) refuse('what follows the host has to be the number of a database');
  return { kind: 'single', ...access, server, db: Number(path) };
}

function credentialsOf(userInfo: string): Pick<Access, 'username' | 'password'> {
  const [username = '', ...rest] = userInfo.split(':').map(decoded);
  if (rest.length > 1) refuse('a ":" in a user or a password is written %3A');
  const [password] = rest;
  return { ...(username !== '' && { username }), ...(password !== undefined && password !== '' && { password }) };
}

function sentinelCredentials(params: URLSearchParams): { sentinelUsername?: string; sentinelPassword?: string } {
  const username = params.get('sentinel_username');
  const password = params.get('sentinel_password');
  const known = (username === null ? 0 : 1) + (password === null ? 0 : 1);
  if ([...params].length !== known) refuse('it has parameters that are not known');
  return { ...(username !== null && { sentinelUsername: username }), ...(password !== null && { sentinelPassword: password }) };
}

function hostsOf(hosts: string, defaultPort: number): RedisHost[] {
  return hosts.split(',').map((text) => {
    const [, host = '', port = String(defaultPort)] = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
    if (host === '') refuse('a host is missing, or is not understood');
    if (Number(port) < 1 || Number(port) > 65_535) refuse('a port is not between 1 and 65535');
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('a "%" in it is not followed by two hexadecimal digits; write %25');
  }
}

function refuse(why: string): never {
  throw new ScanGateError('SG_CONFIG_INVALID', `The address of Redis cannot be used: ${why}.`);
}
