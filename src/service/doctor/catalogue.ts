/** Every check of `scangate doctor`, in the order in which it is shown: what it means when it is not good, and what to do then. */

/** A refusal ends the start of a server. */
export type Level = 'ok' | 'warning' | 'refusal';

interface Check {
  /** How bad it can be. */
  readonly worst: Exclude<Level, 'ok'>;
  readonly means: string;
  readonly todo: string;
}

export const checks = {
  'redis-reachable': {
    worst: 'warning',
    means: 'The ledger decides alone until Redis answers: no less right, and slower when many clients retry.',
    todo: 'Start Redis, or correct --redis. A server that runs takes it up by itself.',
  },
  'redis-cluster': {
    worst: 'warning',
    means: 'Claims whose slot nobody serves are not to be had; the ledger decides those scans alone.',
    todo: 'Give every slot a master; CLUSTER INFO and CLUSTER SHARDS show which are without one.',
  },
  'redis-version': {
    worst: 'refusal',
    means: 'A claim is a SET with NX and GET, which Redis takes from 7.0 on: every claim would fail.',
    todo: 'Use Redis 7.0 or later, or Valkey.',
  },
  'redis-role': {
    worst: 'warning',
    means: 'A replica takes no claims; the ledger decides alone.',
    todo: 'Name the master in --redis, or find it through Sentinels: redis+sentinel://host/master.',
  },
  'redis-writable': {
    worst: 'warning',
    means: 'A claim was tried and not taken; the ledger decides alone.',
    todo: 'Do what Redis asks for. A user of its own needs SET, GET, EVAL and EVALSHA on the keys scan:idem:*.',
  },
  'redis-memory': {
    worst: 'warning',
    means: 'A Redis that is full takes no claims; the ledger decides alone.',
    todo: 'Raise maxmemory, or give the claims a Redis of their own.',
  },
  'redis-eviction': {
    worst: 'refusal',
    means: 'Redis may drop a claim before its time; who relies on claims alone then commits the scan a second time.',
    todo: 'Set maxmemory-policy to noeviction, or allow it with --allow-eviction true.',
  },
  'redis-persistence': {
    worst: 'warning',
    means: 'A restart of Redis forgets claims; workers that run the recipe alone then commit those scans a second time.',
    todo: 'Set appendonly to yes; appendfsync always forgets nothing.',
  },
  'redis-replicas': {
    worst: 'warning',
    means:
      'A failover forgets the claims that the new master does not have; claims that wait for more replicas than there are wait in vain.',
    todo: 'Set min-replicas-to-write to 1 or more, and connect as many replicas as --redis-replicas says.',
  },
  'redis-wait-aof': {
    worst: 'refusal',
    means:
      'Claims shall wait until they are on disk, and this Redis does not say that they are: they would go on as if nobody had asked.',
    todo: 'Use Redis 7.2 or later, or Valkey, with appendonly yes and appendfsync always, allow the user WAITAOF, or leave --redis-wait-aof out.',
  },
  'redis-config': {
    worst: 'warning',
    means: 'What Redis does not show could not be looked at.',
    todo: 'Allow the user INFO and CONFIG GET, or look yourself: save, appendonly, appendfsync, maxmemory-policy, min-replicas-to-write.',
  },
  'redis-clock': {
    worst: 'warning',
    means:
      'A clock is wrong, of this machine or of Redis: workers that differ place one scan at two times, further apart than it was.',
    todo: 'Let every machine set its clock by NTP.',
  },
  'postgres-reachable': {
    worst: 'refusal',
    means: 'Nothing can be decided without the ledger.',
    todo: 'Start PostgreSQL, or correct --postgres.',
  },
  'postgres-version': {
    worst: 'refusal',
    means: 'The ledger is neither written for older servers nor tested with them.',
    todo: 'Use PostgreSQL 13 or later.',
  },
  'postgres-primary': {
    worst: 'refusal',
    means: 'A standby cannot be written to.',
    todo: 'Name the primary in --postgres, or an address that moves with it.',
  },
  'postgres-schema': {
    worst: 'refusal',
    means: 'This version of ScanGate neither reads nor writes these tables.',
    todo: 'Run "scangate migrate" as the owner of the database; for a newer schema, use a newer ScanGate.',
  },
  'postgres-durability': {
    worst: 'refusal',
    means: 'A scan that was acknowledged can be lost with the power.',
    todo: 'Set fsync and synchronous_commit to on, for the server, the database and the role; --allow-unsafe-ledger true is for trials.',
  },
  'postgres-full-page-writes': {
    worst: 'warning',
    means:
      'A page that was half written when the power failed cannot be repaired, unless the file system never writes half a page.',
    todo: 'Set full_page_writes to on, unless the data is on a file system such as ZFS.',
  },
  'postgres-standbys': {
    worst: 'warning',
    means:
      'Without a synchronous standby, a failover loses what was acknowledged last; with none of them connected, a commit waits.',
    todo: 'Name standbys in synchronous_standby_names, keep synchronous_commit at on or remote_apply, and more of them running than it waits for.',
  },
  'postgres-rules': {
    worst: 'refusal',
    means:
      'The rules of the ledger hold because the database holds them; without them a scan can be committed twice, or changed.',
    todo: 'Put back what is missing as it stands in migrations/, enable what is disabled, and find out who took it away.',
  },
  'postgres-rights': {
    worst: 'refusal',
    means: 'The server could not read or write its books.',
    todo: 'Run "scangate migrate --gate-role" with the name of this role.',
  },
  'postgres-append-only': {
    worst: 'warning',
    means: 'Who has this role can do more than add to the books: only the triggers, or not even they, stand in the way.',
    todo: 'Let the servers log in as the role of "scangate migrate --gate-role", and keep the owner for migrations.',
  },
  'postgres-connections': {
    worst: 'warning',
    means: 'Scans wait for a connection, and are answered with a request to retry when none comes.',
    todo: 'Raise max_connections or the limit of the role or the database, or lower --postgres-connections-max.',
  },
  'postgres-clock': {
    worst: 'warning',
    means:
      'A clock is wrong, of this machine or of PostgreSQL: workers that differ place one scan at two times, further apart than it was.',
    todo: 'Let every machine set its clock by NTP.',
  },
  'data-directory': {
    worst: 'refusal',
    means: 'There is no place for the ledger.',
    todo: 'Make the directory above it, mount its disk, or give the user of the server the right to write there.',
  },
  'data-file-system': {
    worst: 'refusal',
    means: 'The locks and syncs of SQLite are not to be relied on there: acknowledged scans can be lost.',
    todo: 'Use a local disk; --allow-network-file-system true is at your own risk.',
  },
  'data-space': {
    worst: 'warning',
    means: 'On a full disk nothing is committed, and every scan is answered with a request to retry.',
    todo: 'Make room, or move the directory to a larger disk.',
  },
  'data-structure': {
    worst: 'refusal',
    means: 'The books cannot be read or written as they are.',
    todo: 'Do what the sentence says; keep a copy of the file first.',
  },
  'product-directory': {
    worst: 'warning',
    means: 'Every DEA schedule is "unknown", and no scan is put up because nobody knows its product.',
    todo: 'Run "scangate directory import" with the files of the FDA, on every machine that runs a server.',
  },
  'window-and-retries': {
    worst: 'warning',
    means: 'A retry that comes later than the window, with neither a scan_uuid nor a captured_at, is a second line.',
    todo: 'Let clients send a scan_uuid or a captured_at and keep it over retries, give up sooner, or lengthen the window.',
  },
} as const satisfies Record<string, Check>;

export type CheckName = keyof typeof checks;

export const checkNames = Object.keys(checks) as readonly CheckName[];
