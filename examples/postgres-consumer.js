/**
 * A consumer of a Redis stream that commits into somebody's own table in PostgreSQL.
 *
 *     node examples/postgres-consumer.js redis://127.0.0.1:6379 postgres://localhost/pharmacy consumer-1
 *     redis-cli XADD scans '*' scan '{"facility_uuid":"…", …}'
 *
 * An entry is acknowledged when its scan is committed or suppressed, and read again when that cannot be known yet. Start as many
 * consumers as you like, each under a stable name of its own: a second transmission can be read by any of them.
 *
 * The table has two constraints of its own. `pick` is unique, so a dispense stands once whatever the claims say. The fencing token
 * is compared, so a consumer that was paused for longer than its lease writes nothing any more, even before the one that took its
 * lease over has written.
 */
import { Redis } from 'ioredis';
import pg from 'pg';
import { createGuard, parseScan } from 'scangate';
import { openRedisClaimStore } from 'scangate/redis';

const [
  redisUrl = 'redis://127.0.0.1:6379',
  postgresUrl = 'postgres://localhost/pharmacy',
  name = 'consumer-1',
  leaseMs = '10000',
] = process.argv.slice(2);

const pool = new pg.Pool({ connectionString: postgresUrl, max: 4 });
pool.on('error', () => {});
await pool.query(`
  SELECT pg_advisory_xact_lock(587402113);
  CREATE TABLE IF NOT EXISTS dispense_fences (pick text PRIMARY KEY, fence bigint NOT NULL);
  CREATE TABLE IF NOT EXISTS dispenses (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pick text NOT NULL UNIQUE,
    fence bigint NOT NULL,
    occurred_at timestamptz NOT NULL,
    scan jsonb NOT NULL
  );
`);

const claims = await openRedisClaimStore(redisUrl);
const guard = createGuard({ claims, leaseMs: Number(leaseMs) });

/** Goes on only where no later lease of this pick has been here. The row stays locked until the transaction ends. */
const passFence = `
  INSERT INTO dispense_fences (pick, fence) VALUES ($1, $2)
  ON CONFLICT (pick) DO UPDATE SET fence = excluded.fence WHERE dispense_fences.fence < excluded.fence`;
const insert = `
  INSERT INTO dispenses (pick, fence, occurred_at, scan) VALUES ($1, $2, to_timestamp($3 / 1000.0), $4)
  ON CONFLICT (pick) DO NOTHING RETURNING id`;
const select = 'SELECT id, occurred_at FROM dispenses WHERE pick = $1';

/** Whatever throws here may have been committed all the same, and is looked up when the lease has run out. */
async function commit({ scan, pick, fence, occurredAt }) {
  const client = await pool.connect();
  let failure;
  try {
    await client.query('BEGIN');
    const passed = await client.query(passFence, [pick, fence]);
    if (passed.rowCount === 0) {
      await client.query('ROLLBACK');
      return { kind: 'not_written', reason: 'A later lease of this pick has been here.' };
    }
    const inserted = await client.query(insert, [pick, fence, occurredAt, JSON.stringify(scan)]);
    const there = inserted.rowCount === 0 ? await client.query(select, [pick]) : undefined;
    await client.query('COMMIT');
    return there === undefined ? { kind: 'committed', reference: inserted.rows[0].id } : { kind: 'duplicate', ...entryOf(there) };
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(failure);
  }
}

async function lookup(pick) {
  return entryOf(await pool.query(select, [pick]));
}

function entryOf({ rows: [row] }) {
  return row && { reference: row.id, occurredAt: row.occurred_at.getTime() };
}

const stream = new Redis(redisUrl);
await stream.xgroup('CREATE', 'scans', 'dispensing', '0', 'MKSTREAM').catch((error) => {
  if (!error.message.startsWith('BUSYGROUP')) throw error;
});

/** What is not JSON is refused as what it is: text. */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether the entry is done with. What is no scan is said and done with; in earnest, keep it somewhere. */
async function handle([id, fields]) {
  const { scan: json = '' } = Object.fromEntries(pairsOf(fields ?? []));
  const parsed = parseScan(jsonOf(json), { receivedAt: Date.now() });
  const answer = parsed.ok ? await guard(parsed.value, commit, { lookup }) : { outcome: 'rejected', ...parsed.error.rejection };
  process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
  if (answer.outcome === 'unavailable') return false;
  await stream.xack('scans', 'dispensing', id);
  return true;
}

function pairsOf(fields) {
  return fields.flatMap((field, index) => (index % 2 === 0 ? [[field, fields[index + 1]]] : []));
}

async function read(from, blockMs) {
  const found = await stream.xreadgroup('GROUP', 'dispensing', name, 'COUNT', 10, 'BLOCK', blockMs, 'STREAMS', 'scans', from);
  return found?.[0]?.[1] ?? [];
}

let running = true;
process.once('SIGTERM', () => {
  running = false;
});
/** Its own entries from before a restart come first; so do those that could not be decided. */
let mine = true;
while (running) {
  let undecided = false;
  for (const entry of mine ? await read('0', 1) : []) undecided = !(await handle(entry)) || undecided;
  for (const entry of await read('>', undecided ? 100 : 500)) undecided = !(await handle(entry)) || undecided;
  mine = undecided;
}
stream.disconnect();
await claims.close();
await pool.end();
