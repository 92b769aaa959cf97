// Bytes that a claim takes in Redis, and a committed scan (its line, its record, their indexes) in a ledger. Needs the build.
//
//   node bench/sizes.js redis://host/db postgres://role@host/database
//
// Both keep what is written until it expires, or for ever: give servers that are there for this alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { PostgresLedger } from 'scangate/postgres';
import { openRedisClaimStore } from 'scangate/redis';
import { SqliteLedger } from 'scangate/sqlite';
import { scanAt } from 'scangate/testing';

const count = 20_000;
const batchScans = 500;
const [redisUrl, postgresUrl] = process.argv.slice(2);
if (postgresUrl === undefined) throw new Error('Give a redis:// and a postgres:// address.');

const scans = Array.from({ length: count }, (_, index) =>
  scanAt(index * 10, { scan_uuid: `01a22952-0810-7000-8000-${String(index).padStart(12, '0')}`, serial_number: `SN${index}` }),
);

async function claimBytes() {
  const operator = new Redis(redisUrl);
  const used = async () => Number(/used_memory:(\d+)/.exec(await operator.info('memory'))?.[1]);
  const store = await openRedisClaimStore(redisUrl, { deadlineMs: 10_000 });
  const before = await used();
  for (let at = 0; at < count; at += batchScans) {
    const batch = scans.slice(at, at + batchScans);
    await Promise.all(
      batch.map(({ scan, identity }) =>
        store.claim({
          key: `scan:idem:${identity.content}`,
          occurredAt: scan.occurredAt,
          token: crypto.randomUUID(),
          ttlMs: 600_000,
        }),
      ),
    );
  }
  const bytes = (await used()) - before;
  await store.close();
  operator.disconnect();
  return bytes / count;
}

async function append(ledger) {
  for (let at = 0; at < count; at += batchScans) await ledger.append(scans.slice(at, at + batchScans));
}

async function sqliteBytes() {
  const folder = await mkdtemp(join(tmpdir(), 'scangate-sizes-'));
  const ledger = await SqliteLedger.open(join(folder, 'ledger.sqlite'));
  await append(ledger);
  // What is in the write-ahead log as well is not counted twice: closing it writes everything into the file.
  await ledger.close();
  const again = await SqliteLedger.open(join(folder, 'ledger.sqlite'));
  const { bytes } = await again.status();
  await again.close();
  await rm(folder, { recursive: true });
  return bytes / count;
}

async function postgresBytes() {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  const size = async () => Number((await client.query('SELECT pg_database_size(current_database()) AS size')).rows[0].size);
  const ledger = await PostgresLedger.open(postgresUrl);
  const before = await size();
  await append(ledger);
  const bytes = (await size()) - before;
  await ledger.close();
  await client.end();
  return bytes / count;
}

console.log(`claim in Redis: ${Math.round(await claimBytes())} bytes`);
console.log(`committed scan in SQLite: ${Math.round(await sqliteBytes())} bytes`);
console.log(`committed scan in PostgreSQL: ${Math.round(await postgresBytes())} bytes`);
