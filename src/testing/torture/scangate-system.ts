/** ScanGate itself under torture: `serve` with claims in Redis and its ledger in PostgreSQL. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../base/package-folder.ts';
import { PostgresLedger } from '../../ledger/postgres-ledger.ts';
import { migrate } from '../../ledger/postgres-migrate.ts';
import type { HistoryWriter } from '../history.ts';
import { lineEvent } from '../line-event.ts';
import type { PostgresServer } from '../servers/postgres-server.ts';
import { startServer } from '../servers/scangate-server.ts';
import type { System } from './system.ts';

export interface ScanGateOptions {
  /** Further settings of the workers. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const gateRole = 'gate';
/** Of the traffic: scanners whose ids are believed. */
const scannerClasses = JSON.stringify({ trusted: { scanners: ['TRUST-*'], distinct_ids: 'trust' } });
const pageItems = 1_000;

export function scanGateSystem({ args = [], env = {} }: ScanGateOptions = {}): System {
  return {
    name: 'scangate',
    hasJournal: true,
    hasMetrics: true,
    async prepare(postgres, database) {
      await migrate(postgres.url(database), { gateRole });
    },
    startWorker(lifetime, settings) {
      const own = {
        SCANGATE_POSTGRES: settings.postgres.replace('postgres@', `${gateRole}@`),
        SCANGATE_REDIS: settings.redis,
        SCANGATE_SCANNER_CLASSES: scannerClasses,
      };
      return startServer(lifetime, {
        data: join(settings.folder, 'data'),
        args,
        env: { ...settings.env, ...own, ...env },
        execArgs: settings.execArgs,
        linesKept: 200,
      });
    },
    answers: pathToFileURL(join(packageFolder, 'dist/testing/torture/scangate-answer.js')),
    readBooks,
    async audit(postgres, database) {
      const ledger = await PostgresLedger.open(postgres.url(database), { allowUnsafeLedger: true });
      try {
        const { breaks, facilities } = await ledger.audit();
        if (facilities.length === 0) return ['The books are empty: there was nothing to audit.'];
        return breaks.map(({ facility_uuid, at, message }) => `${facility_uuid}, ${at}: ${message}`);
      } finally {
        await ledger.close();
      }
    },
  };
}

async function readBooks(postgres: PostgresServer, database: string, history: HistoryWriter): Promise<void> {
  const ledger = await PostgresLedger.open(postgres.url(database), { allowUnsafeLedger: true });
  try {
    for await (const line of pages((after) => ledger.lines({ limit: pageItems, ...after }))) history(lineEvent(line));
    for await (const record of pages((after) => ledger.records({ limit: pageItems, ...after })))
      history({ kind: 'record', record });
  } finally {
    await ledger.close();
  }
  const quarantined = await postgres.query(database, "SELECT id, encode(sha256(raw), 'hex') AS sha256 FROM scangate.quarantine");
  for (const { id, sha256 } of quarantined) {
    history({ kind: 'quarantined', quarantine_id: String(id), sha256: String(sha256) });
  }
  const heads = await postgres.query(database, 'SELECT facility_uuid, last_line, last_seq, head_hash FROM scangate.facilities');
  for (const head of heads) {
    history({
      kind: 'head',
      facility_uuid: String(head['facility_uuid']),
      seq: Number(head['last_seq']),
      line: Number(head['last_line']),
      hash: String(head['head_hash']),
    });
  }
}

async function* pages<T>(read: (query: { after?: string }) => Promise<{ items: readonly T[]; next: string }>): AsyncGenerator<T> {
  for (let after: string | undefined; ; ) {
    const { items, next } = await read(after === undefined ? {} : { after });
    if (items.length === 0) return;
    yield* items;
    after = next;
  }
}
