import { describe, expect, test } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import { parseRedisUrl, type RedisAddress } from '../../../src/claim/redis-url.ts';

const single = (host: string, port: number, more: object = {}): RedisAddress => ({
  kind: 'single',
  tls: false,
  server: { host, port },
  db: 0,
  ...more,
});

describe('an address of Redis', () => {
  test.each<[string, RedisAddress]>([
    ['redis://cache', single('cache', 6_379)],
    ['redis://cache:6380/', single('cache', 6_380)],
    ['redis://cache/15', single('cache', 6_379, { db: 15 })],
    ['rediss://10.0.0.7:6380', single('10.0.0.7', 6_380, { tls: true })],
    ['redis://[::1]:7000', single('::1', 7_000)],
    ['redis://:secret@cache', single('cache', 6_379, { password: 'secret' })],
    ['redis://gate:p%40%3A%2F%25@cache', single('cache', 6_379, { username: 'gate', password: 'p@:/%' })],
    [
      'redis+sentinel://s1:26380,s2/claims',
      {
        kind: 'sentinel',
        tls: false,
        sentinels: [
          { host: 's1', port: 26_380 },
          { host: 's2', port: 26_379 },
        ],
        master: 'claims',
      },
    ],
    [
      'rediss+sentinel://gate:a@s1/claims?sentinel_username=b&sentinel_password=c%26d',
      {
        kind: 'sentinel',
        tls: true,
        username: 'gate',
        password: 'a',
        sentinels: [{ host: 's1', port: 26_379 }],
        master: 'claims',
        sentinelUsername: 'b',
        sentinelPassword: 'c&d',
      },
    ],
    [
      'redis+cluster://n1:7000,n2:7001',
      {
        kind: 'cluster',
        tls: false,
        nodes: [
          { host: 'n1', port: 7_000 },
          { host: 'n2', port: 7_001 },
        ],
      },
    ],
  ])('%s is understood', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  test.each([
    ['', 'not a Redis address'],
    ['cache:6379', 'not a Redis address'],
    ['http://cache', 'not a Redis address'],
    ['redis://', 'not a Redis address'],
    ['redis://user@x:secret@cache', 'not a Redis address'],
    ['redis://a:b:secret@cache', 'a ":" in a user or a password is written %3A'],
    ['redis://:secret%@cache', 'a "%" in it is not followed by two hexadecimal digits; write %25'],
    ['redis://cache:0', 'a port is not between 1 and 65535'],
    ['redis://cache:65536', 'a port is not between 1 and 65535'],
    ['redis://cache:port', 'a host is missing, or is not understood'],
    ['redis://a,b', 'several hosts need redis+sentinel:// or redis+cluster://'],
    ['redis+cluster://a,,b', 'a host is missing, or is not understood'],
    ['redis+cluster://a/1', 'a cluster has no numbered databases, and no master by name'],
    ['redis+sentinel://a', 'the name of the master is missing: redis+sentinel://host/name'],
    ['redis://cache/name', 'what follows the host has to be the number of a database'],
    ['redis://cache?family=6', 'it has parameters that are not known'],
    ['redis+sentinel://a/m?sentinel_pasword=secret', 'it has parameters that are not known'],
  ])('%s is refused, in a sentence without a password', (url, why) => {
    let refused: unknown;
    try {
      parseRedisUrl(url);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(ScanGateError);
    expect(refused).toMatchObject({ code: 'SG_CONFIG_INVALID', message: `The address of Redis cannot be used: ${why}.` });
    expect(String(refused)).not.toContain('secret');
  });
});
