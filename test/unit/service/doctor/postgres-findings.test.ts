import { expect, it } from 'vitest';
import { postgresFindings } from '../../../../src/service/doctor/postgres-findings.ts';
import type { ServerFacts } from '../../../../src/service/doctor/postgres-probe.ts';

const good: ServerFacts = {
  version: '15.18',
  version_num: 150_018,
  standby: false,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: '',
  session_replication_role: 'origin',
  standbys: 0,
  connections_left: 50,
  role: 'gate',
  superuser: false,
  migrated: false,
};

const settings = {
  postgres: 'postgres://gate:secret@db.example/ledger',
  allow_unsafe_ledger: false,
  postgres_connections_max: 8,
  captured_ahead_ms_max: 120_000,
};

function said(check: string, changes: Partial<ServerFacts>): unknown {
  const findings = postgresFindings({ server: { ...good, ...changes }, books: undefined, skew: undefined }, settings);
  const { level, found } = findings.find((one) => one.check === check) ?? {};
  return [level, found];
}

it('a server before 13 is refused', () => {
  expect(said('postgres-version', { version: '12.22', version_num: 120_022 })).toEqual(['refusal', 'It is PostgreSQL 12.22.']);
  expect(said('postgres-version', { version: '13.0', version_num: 130_000 })).toEqual(['ok', 'It is PostgreSQL 13.0.']);
});

it.each([
  [
    { standbys: 1 },
    'warning',
    '1 standby server(s) connected, and synchronous_standby_names is empty: no commit waits for them.',
  ],
  [{ synchronous_standby_names: 'a' }, 'warning', '0 standby server(s) connected, and a commit waits for "a".'],
  [
    { standbys: 1, synchronous_standby_names: 'a', synchronous_commit: 'local' },
    'warning',
    '1 standby server(s) connected; with synchronous_commit local no commit waits.',
  ],
  [
    { standbys: 2, synchronous_standby_names: 'ANY 1 (a, b)' },
    'ok',
    '2 standby server(s) connected, and a commit waits for "ANY 1 (a, b)".',
  ],
] as const)('standbys keep what is acknowledged only where commits wait for them: %o', (changes, level, found) => {
  expect(said('postgres-standbys', changes)).toEqual([level, found]);
});

it('connections that are fewer than this process takes are a warning', () => {
  expect(said('postgres-connections', { connections_left: 7 })).toEqual([
    'warning',
    '7 connections are left to this role; this process takes up to 8.',
  ]);
});

it('no finding shows a password', () => {
  const findings = postgresFindings({ server: good, books: 'hidden', skew: undefined }, settings);
  expect(JSON.stringify(findings)).not.toContain('secret');
  expect(findings[0]?.target).toBe('database ledger at db.example');
});
