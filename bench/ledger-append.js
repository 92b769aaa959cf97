// How many new scans a ledger commits in a second, in batches of 500, from one process. Needs the build.
//
//   npm run bench:ledger                                        a SQLite file in a temporary folder
//   npm run bench:ledger -- postgres://role@host/database       a database that was migrated; it keeps what is written
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresLedger } from 'scangate/postgres';
import { SqliteLedger } from 'scangate/sqlite';
import { scanAt } from 'scangate/testing';

const batchScans = 500;
const batches = 40;
const rounds = 3;
const [url] = process.argv.slice(2);

/** Batches of one facility, each scan a content of its own. */
function batchesOf(facility_uuid, count) {
  return Array.from({ length: count }, (_, batch) =>
    Array.from({ length: batchScans }, (_, index) => {
      const id = `${facility_uuid}.${batch}.${index}`;
      return scanAt(batch, { facility_uuid, scan_uuid: id, lot_number: `${batch}.${index}`, scanner_id: `SCN-${index % 20}` });
    }),
  );
}

async function appendAll(ledger, made) {
  for (const batch of made) await ledger.append(batch);
}

/** The batches of a facility go one after the other, as a gate sends them. */
async function perSecond(ledger, facilities, run) {
  const made = Array.from({ length: facilities }, (_, index) =>
    batchesOf(`${process.pid}.${run}.${index}`, batches / facilities),
  );
  const startedAt = performance.now();
  await Promise.all(made.map((ofFacility) => appendAll(ledger, ofFacility)));
  return (batches * batchScans * 1_000) / (performance.now() - startedAt);
}

const folder = await mkdtemp(join(tmpdir(), 'scangate-bench-'));
const ledger = url === undefined ? await SqliteLedger.open(join(folder, 'ledger.sqlite')) : await PostgresLedger.open(url);
for (const facilities of [1, 4]) {
  const rates = [];
  for (let run = 0; run < rounds; run += 1) rates.push(await perSecond(ledger, facilities, `${facilities}.${run}`));
  const best = Math.round(Math.max(...rates)).toLocaleString('en-US');
  console.log(
    `${url === undefined ? 'SQLite' : 'PostgreSQL'}, ${facilities} facilities: ${best} scans committed per second, best of ${rounds}`,
  );
}
await ledger.close();
await rm(folder, { recursive: true });
