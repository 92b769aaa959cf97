// How the table of lines behaves as it grows, whole and in 16 partitions by facility: rows a second that PostgreSQL inserts, with every
// constraint, at each size. The database is made for it, and dropped at the end.
//
//     node bench/ledger-partitions.js postgres://postgres@127.0.0.1:5432 2000000
import { readFileSync } from 'node:fs';
import pg from 'pg';

const [url = 'postgres://postgres@127.0.0.1:5432', rows = '2000000'] = process.argv.slice(2);
const database = 'scangate_bench_partitions';
const [steps, batches, facilities, partitions] = [4, 50, 400, 16];

async function connected(name) {
  const client = new pg.Client({ connectionString: `${url}/${name}` });
  await client.connect();
  return client;
}

/** The lines' own columns, checks and indexes, but in partitions; a constraint that lacks the facility holds within a partition. */
async function partition(client) {
  await client.query('CREATE TABLE parted (LIKE scangate.ledger_lines INCLUDING GENERATED) PARTITION BY HASH (facility_uuid)');
  for (let index = 0; index < partitions; index += 1) {
    await client.query(`CREATE TABLE parted_${index} (LIKE scangate.ledger_lines INCLUDING ALL)`);
    await client.query(`ALTER TABLE parted_${index} ADD CONSTRAINT parted_${index}_window EXCLUDE USING gist (
      identity_uuid WITH =, facility_uuid WITH =, int8range(occurred_at, occurred_at + window_ms) WITH &&)`);
    await client.query(
      `ALTER TABLE parted ATTACH PARTITION parted_${index} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${index})`,
    );
  }
}

const insert = (table) => `
  INSERT INTO ${table} (position, facility_uuid, line, entry_id, scanner_id, scan_uuid, identity, fingerprint, claim_key, occurred_at, received_at,
    window_ms, ndc11, quantity, unit, scan_type, delta, dea_schedule, book, journal_seq) OVERRIDING SYSTEM VALUE
  SELECT n, 'facility-' || n % ${facilities}, n / ${facilities} + 1, gen_random_uuid(), 'SCN-' || n % 7, gen_random_uuid(),
    encode(sha256(n::text::bytea), 'hex'), encode(sha256(n::text::bytea), 'hex'), 'scan:idem:' || encode(sha256(n::text::bytea), 'hex'),
    1772712000000 + n, 1772712000000 + n, 3000, '00093721410', '1', 'EA', 'dispense', '-1', 'CII', 'CII', n / ${facilities} + 1
  FROM generate_series($1::bigint, $2::bigint) AS n
  ON CONFLICT DO NOTHING`;

async function grown(client, table, what) {
  const step = Math.floor(Number(rows) / steps);
  const batch = Math.floor(step / batches);
  for (let index = 0; index < steps; index += 1) {
    const startedAt = performance.now();
    for (let part = 0; part < batches; part += 1) {
      const first = index * step + part * batch;
      const { rowCount } = await client.query(insert(table), [first, first + batch - 1]);
      if (rowCount !== batch) throw new Error(`${rowCount} of ${batch} rows were inserted.`);
    }
    const perSecond = Math.round((batch * batches * 1_000) / (performance.now() - startedAt));
    console.log(`${what}: from ${index * step} to ${(index + 1) * step} rows, ${perSecond} rows/s`);
  }
}

const operator = await connected('postgres');
await operator.query(`CREATE DATABASE ${database}`);
try {
  const client = await connected(database);
  await client.query('CREATE SCHEMA scangate');
  const migration = readFileSync(new URL('../migrations/0001-ledger.sql', import.meta.url), 'utf8');
  await client.query(migration.slice(0, migration.indexOf('CREATE TABLE scangate.journal_records')));
  await partition(client);
  await grown(client, 'scangate.ledger_lines', 'one table');
  const { rows: sizes } = await client.query("SELECT pg_total_relation_size('scangate.ledger_lines') AS bytes");
  console.log(`one table: ${Math.round(Number(sizes[0].bytes) / Number(rows))} bytes a line, indexes included`);
  await grown(client, 'parted', `${partitions} partitions`);
  await client.end();
} finally {
  await operator.query(`DROP DATABASE ${database}`);
  await operator.end();
}
