/** What the facts of the servers of Redis mean for claims. */

import type { RedisFailure } from '../../claim/redis-calls.ts';
import type { Config } from '../config.ts';
import { skewFinding } from './clock-skew.ts';
import { type Finding, finding } from './finding.ts';
import type { Fields, RedisFacts, RedisReport } from './redis-probe.ts';

type RedisSettings = Pick<
  Config,
  'allow_eviction' | 'claim_keys' | 'redis_replicas' | 'redis_replicas_ms' | 'redis_wait_aof' | 'captured_ahead_ms_max'
>;

const slots = 16_384;
/** Above this part of maxmemory it is only a matter of time. */
const fullPercent = 90;
/** How far apart syncs of the append-only file are under `appendfsync everysec`, ms. */
const syncMs = 1_000;

export function redisFindings({ servers, servedSlots }: RedisReport, settings: RedisSettings): Finding[] {
  const [first] = servers;
  const cluster =
    servedSlots === undefined || first === undefined
      ? []
      : [
          finding(
            'redis-cluster',
            'the cluster',
            servedSlots === slots ? 'ok' : 'warning',
            `${servedSlots} of ${slots} slots have a master.`,
          ),
        ];
  const each = servers.flatMap((server) =>
    'unreachable' in server
      ? [finding('redis-reachable', server.target, 'warning', server.unreachable)]
      : serverFindings(server, settings),
  );
  return [...cluster, ...each];
}

function serverFindings(facts: RedisFacts, settings: RedisSettings): Finding[] {
  const { target, info, skew, refusedClaim } = facts;
  return [
    finding('redis-reachable', target, 'ok', 'It answers.'),
    ...(refusedClaim === undefined
      ? [finding('redis-writable', target, 'ok', 'It took a claim, and settled it.')]
      : [finding('redis-writable', target, 'warning', refusedClaim)]),
    ...shownFinding(facts),
    ...(info === undefined ? [] : infoFindings(target, info)),
    ...evictionFinding(facts, settings),
    ...persistenceFinding(facts, settings),
    ...replicasFinding(facts, settings),
    ...waitFinding(facts, settings),
    ...(skew === undefined ? [] : [skewFinding('redis-clock', target, skew, settings.captured_ahead_ms_max)]),
  ];
}

function shownFinding({ target, info, settings }: RedisFacts): Finding[] {
  const hidden = [...(info === undefined ? ['INFO'] : []), ...(settings === undefined ? ['CONFIG GET'] : [])];
  if (hidden.length === 0) return [finding('redis-config', target, 'ok', 'It shows its settings.')];
  return [finding('redis-config', target, 'warning', `The user is not allowed ${hidden.join(' and ')}.`)];
}

function infoFindings(target: string, info: ReadonlyMap<string, string>): Finding[] {
  const role = info.get('role');
  return [
    finding('redis-version', target, isSince(info, 7, 0) ? 'ok' : 'refusal', `It is ${nameOf(info)}.`),
    finding('redis-role', target, role === 'master' ? 'ok' : 'warning', role === 'master' ? 'It is a master.' : roleOf(info)),
    ...memoryFinding(target, info),
  ];
}

function nameOf(info: ReadonlyMap<string, string>): string {
  const valkey = info.get('valkey_version');
  return valkey === undefined ? `Redis ${info.get('redis_version') ?? ''}` : `Valkey ${valkey}`;
}

/** Whether it is of this version of Redis or later. Valkey began as 7.2. */
function isSince(info: ReadonlyMap<string, string>, major: number, minor: number): boolean {
  if (info.has('valkey_version')) return true;
  const [first = 0, second = 0] = (info.get('redis_version') ?? '').split('.').map(Number);
  return first > major || (first === major && second >= minor);
}

function roleOf(info: ReadonlyMap<string, string>): string {
  return `It is a replica of ${info.get('master_host') ?? 'another server'}:${info.get('master_port') ?? ''}.`;
}

function memoryFinding(target: string, info: ReadonlyMap<string, string>): Finding[] {
  const used = Number(info.get('used_memory'));
  const most = Number(info.get('maxmemory'));
  if (Number.isNaN(used) || Number.isNaN(most)) return [];
  const shown = `${mebibytes(used)} MiB are used`;
  if (most === 0) return [finding('redis-memory', target, 'ok', `${shown}; maxmemory sets no limit.`)];
  const percent = Math.floor((100 * used) / most);
  const level = percent >= fullPercent ? 'warning' : 'ok';
  return [finding('redis-memory', target, level, `${shown} of ${mebibytes(most)}, ${percent} %.`)];
}

function evictionFinding({ target, info, settings }: RedisFacts, { allow_eviction }: RedisSettings): Finding[] {
  const policy = settings?.get('maxmemory-policy') ?? info?.get('maxmemory_policy');
  if (policy === undefined) return [];
  if (policy === 'noeviction') return [finding('redis-eviction', target, 'ok', 'maxmemory-policy is noeviction.')];
  const most = Number(settings?.get('maxmemory') ?? info?.get('maxmemory'));
  const when = most > 0 ? `at ${mebibytes(most)} MiB` : 'as soon as a maxmemory is set';
  return [
    finding(
      'redis-eviction',
      target,
      allow_eviction ? 'warning' : 'refusal',
      `maxmemory-policy is ${policy}: it evicts ${when}.`,
    ),
  ];
}

/** With a ledger behind them, forgotten claims cost a question to the ledger; where workers run the recipe, nothing else is there. */
function persistenceFinding({ target, info, settings }: RedisFacts, { claim_keys }: RedisSettings): Finding[] {
  const appends = settings?.get('appendonly') ?? { '0': 'no', '1': 'yes' }[info?.get('aof_enabled') ?? ''];
  if (appends === undefined) return [];
  const [forgets, found] = keptOf(appends, settings);
  const level = forgets && claim_keys === 'recipe' ? 'warning' : 'ok';
  const caught = forgets && level === 'ok' ? ' The ledger decides those scans.' : '';
  return [finding('redis-persistence', target, level, `${found}${caught}`)];
}

function keptOf(appends: string, settings: Fields): readonly [forgets: boolean, found: string] {
  const sync = settings?.get('appendfsync');
  if (appends === 'yes') {
    if (sync === 'always') return [false, 'It appends to a file at every write: a restart forgets nothing.'];
    return [
      sync === 'no',
      `It appends to a file${sync === undefined ? '' : `, appendfsync ${sync}`}: a crash of the machine forgets ${sync === 'no' ? 'what was not synced yet' : 'about a second'}.`,
    ];
  }
  const save = settings?.get('save');
  if (save === undefined)
    return [true, 'It does not append to a file: a restart forgets at least what came after the last snapshot.'];
  if (save === '') return [true, 'It keeps nothing on disk: a restart forgets every claim.'];
  return [true, `It keeps snapshots (save ${save}): a restart forgets the claims since the last.`];
}

function replicasFinding({ target, info, settings }: RedisFacts, { claim_keys, redis_replicas }: RedisSettings): Finding[] {
  if (info?.get('role') !== 'master') return [];
  const connected = Number(info.get('connected_slaves'));
  // INFO has this field only where writes need replicas.
  const demanded = Number(settings?.get('min-replicas-to-write') ?? (info.has('min_slaves_good_slaves') ? 1 : 0));
  const has = `It has ${connected} replica(s), and min-replicas-to-write is ${demanded}`;
  if (connected < redis_replicas) {
    return [finding('redis-replicas', target, 'warning', `${has}; claims wait for ${redis_replicas}.`)];
  }
  if (connected === 0) return [finding('redis-replicas', target, 'ok', `${has}: there is no failover that could forget claims.`)];
  if (demanded > 0) return [finding('redis-replicas', target, 'ok', `${has}: it takes no claims without a replica.`)];
  const level = claim_keys === 'recipe' ? 'warning' : 'ok';
  const caught = level === 'ok' ? ' The ledger decides those scans.' : '';
  return [finding('redis-replicas', target, level, `${has}: a failover can forget claims.${caught}`)];
}

/** Claims that wait for disks go on without an answer when the server has none; nobody who asked for it shall have to guess that. */
function waitFinding(facts: RedisFacts, { redis_wait_aof, redis_replicas_ms }: RedisSettings): Finding[] {
  const { target, info, settings, refusedWait } = facts;
  if (!redis_wait_aof || (info !== undefined && info.get('role') !== 'master')) return [];
  if (refusedWait !== undefined) return [finding('redis-wait-aof', target, 'refusal', whyNoWait(facts, refusedWait))];
  const sync = settings?.get('appendfsync');
  if (sync === undefined || sync === 'always' || redis_replicas_ms >= syncMs)
    return [finding('redis-wait-aof', target, 'ok', 'It answers WAITAOF.')];
  const slow = `It answers WAITAOF, but with appendfsync ${sync} not before the next sync, and claims wait for ${redis_replicas_ms} ms.`;
  return [finding('redis-wait-aof', target, 'warning', slow)];
}

function whyNoWait({ info, settings }: RedisFacts, { code, reason }: RedisFailure): string {
  if (info !== undefined && !isSince(info, 7, 2)) return `It is ${nameOf(info)}, which does not know WAITAOF.`;
  if (settings?.get('appendonly') === 'no' || info?.get('aof_enabled') === '0')
    return 'It does not append to a file (appendonly no), so no claim is ever on its disk.';
  return code === undefined ? reason : `It does not take WAITAOF: it says ${code}.`;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
