/** What the facts of a database mean for a ledger in it. */
import { databaseName } from '../../ledger/postgres-errors.ts';
import { schemaVersion } from '../../ledger/postgres-migrate.ts';
import type { Config } from '../config.ts';
import { skewFinding } from './clock-skew.ts';
import { type Finding, finding } from './finding.ts';
import type { BooksFacts, PostgresFacts, ServerFacts, TableRights } from './postgres-probe.ts';
import { brokenRules, rulesCount } from './postgres-rules.ts';

type PostgresSettings = Pick<Config, 'postgres' | 'allow_unsafe_ledger' | 'postgres_connections_max' | 'captured_ahead_ms_max'>;

const oldestVersion = 130_000;

export function postgresFindings(facts: PostgresFacts | { readonly unreachable: string }, settings: PostgresSettings): Finding[] {
  const target = databaseName(settings.postgres).replace(/^The /, '');
  if ('unreachable' in facts) return [finding('postgres-reachable', target, 'refusal', facts.unreachable)];
  const { server, books, skew } = facts;
  return [
    finding('postgres-reachable', target, 'ok', 'It answers.'),
    ...serverFindings(target, server, settings),
    ...(books === 'hidden'
      ? [finding('postgres-rights', target, 'refusal', `The role ${server.role} may not look at the tables of the ledger.`)]
      : booksFindings(target, server, books)),
    ...(skew === undefined ? [] : [skewFinding('postgres-clock', target, skew, settings.captured_ahead_ms_max)]),
  ];
}

function serverFindings(target: string, server: ServerFacts, settings: PostgresSettings): Finding[] {
  const { version, version_num, standby, full_page_writes, connections_left } = server;
  const { postgres_connections_max: wanted } = settings;
  return [
    finding('postgres-version', target, version_num >= oldestVersion ? 'ok' : 'refusal', `It is PostgreSQL ${version}.`),
    finding('postgres-primary', target, standby ? 'refusal' : 'ok', standby ? 'It is a standby.' : 'It is a primary.'),
    durability(target, server, settings),
    finding(
      'postgres-full-page-writes',
      target,
      full_page_writes === 'off' ? 'warning' : 'ok',
      `full_page_writes is ${full_page_writes}.`,
    ),
    standbys(target, server),
    finding(
      'postgres-connections',
      target,
      connections_left < wanted ? 'warning' : 'ok',
      `${Math.max(connections_left, 0)} connections are left to this role; this process takes up to ${wanted}.`,
    ),
  ];
}

function durability(target: string, server: ServerFacts, { allow_unsafe_ledger }: PostgresSettings): Finding {
  const { fsync, synchronous_commit } = server;
  const unsafe = fsync === 'off' || synchronous_commit === 'off';
  const level = !unsafe ? 'ok' : allow_unsafe_ledger ? 'warning' : 'refusal';
  return finding('postgres-durability', target, level, `fsync is ${fsync}, synchronous_commit is ${synchronous_commit}.`);
}

function standbys(target: string, server: ServerFacts): Finding {
  const { synchronous_standby_names: names, standbys: connected, synchronous_commit } = server;
  const has = `${connected} standby server(s) connected`;
  if (names === '') {
    if (connected === 0) return finding('postgres-standbys', target, 'ok', `${has}: there is no failover that could lose scans.`);
    return finding(
      'postgres-standbys',
      target,
      'warning',
      `${has}, and synchronous_standby_names is empty: no commit waits for them.`,
    );
  }
  const waits = `a commit waits for "${names}"`;
  if (connected === 0) return finding('postgres-standbys', target, 'warning', `${has}, and ${waits}.`);
  if (synchronous_commit === 'local' || synchronous_commit === 'off') {
    return finding(
      'postgres-standbys',
      target,
      'warning',
      `${has}; with synchronous_commit ${synchronous_commit} no commit waits.`,
    );
  }
  return finding('postgres-standbys', target, 'ok', `${has}, and ${waits}.`);
}

function booksFindings(
  target: string,
  { role, session_replication_role, superuser }: ServerFacts,
  books: BooksFacts | undefined,
): Finding[] {
  const version = books?.schemaVersion ?? 0;
  const schema = `The schema has version ${version}; this version of ScanGate reads ${schemaVersion}.`;
  if (books === undefined || version !== schemaVersion) return [finding('postgres-schema', target, 'refusal', schema)];
  const broken = [
    ...brokenRules(books.rules),
    ...(session_replication_role === 'replica' ? ['session_replication_role is replica, which leaves triggers out'] : []),
  ];
  return [
    finding('postgres-schema', target, 'ok', schema),
    broken.length === 0
      ? finding('postgres-rules', target, 'ok', `All ${rulesCount} constraints, indexes and triggers are there and in force.`)
      : finding('postgres-rules', target, 'refusal', `${broken.join('; ')}.`),
    rights(target, role, books.tables),
    appendOnly(target, role, superuser, books.tables),
  ];
}

/** In these, rows are added and nothing else. */
const appended = ['ledger_lines', 'journal_records', 'suppressed_scan_ids', 'quarantine', 'quarantine_resolutions'];
/** In these, rows are moved on as well. */
const updated = ['facilities', 'scanners', 'checkpoints'];

function rights(target: string, role: string, tables: readonly TableRights[]): Finding {
  const lacking = [...appended, ...updated].filter((name) => {
    const table = tables.find((candidate) => candidate.name === name);
    if (table === undefined) return true;
    return !(table.selects && table.inserts && (table.updates || !updated.includes(name)));
  });
  if (lacking.length === 0)
    return finding('postgres-rights', target, 'ok', `The role ${role} may read and write what a server needs.`);
  return finding(
    'postgres-rights',
    target,
    'refusal',
    `The role ${role} may not do what a server needs in ${lacking.join(', ')}.`,
  );
}

function appendOnly(target: string, role: string, superuser: boolean, tables: readonly TableRights[]): Finding {
  if (superuser) return finding('postgres-append-only', target, 'warning', `The role ${role} is a superuser.`);
  const kept = tables.filter(({ name }) => appended.includes(name));
  const owned = kept.filter((table) => table.owned).map(({ name }) => name);
  if (owned.length > 0) return finding('postgres-append-only', target, 'warning', `The role ${role} owns ${owned.join(', ')}.`);
  const changeable = kept.filter(({ updates, deletes, truncates }) => updates || deletes || truncates).map(({ name }) => name);
  if (changeable.length === 0) {
    return finding('postgres-append-only', target, 'ok', `The role ${role} can neither change nor delete lines and records.`);
  }
  return finding(
    'postgres-append-only',
    target,
    'warning',
    `The role ${role} may change or delete rows of ${changeable.join(', ')}.`,
  );
}
