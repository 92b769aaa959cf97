// Rows a second that a ledger appends, in batches of 500 new scans, from one process. Needs the build.
//
//   node bench/ledger-append.js                                  a SQLite file in a temporary folder
//   node bench/ledger-append.js postgres://role@host/database    a database that was migrated; it keeps what is written
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresLedger } from 'scangate/postgres';
import { SqliteLedger } from 'scangate/sqlite';
import { scanAt } from 'scangate/testing';

const batchScans = 500;
const batches = 60;
const [url] = process.argv.slice(2);

async function measure(ledger, facilityCount) {
  const run = `${process.pid}.${process.hrtime.bigint()}`;
  const made = Array.from({ length: batches }, (_, batch) =>
    Array.from({ length: batchScans }, (_, index) =>
      scanAt(batch, {
        scan_uuid: `${run}.${batch}.${index}`,
        lot_number: `${batch}.${index}`,
        facility_uuid: `${run}.${batch % facilityCount}`,
        scanner_id: `SCN-${index % 20}`,
      }),
    ),
  );
  const startedAt = performance.now();
  if (facilityCount === 1) for (const batch of made) await ledger.append(batch);
  else await Promise.all(made.map((batch) => ledger.append(batch)));
  const seconds = (performance.now() - startedAt) / 1_000;
  return Math.round((batches * batchScans) / seconds);
}

const folder = await mkdtemp(join(tmpdir(), 'scangate-bench-'));
const ledger = url === undefined ? await SqliteLedger.open(join(folder, 'ledger.sqlite')) : await PostgresLedger.open(url);
for (const facilities of process.argv[3] ? [1] : [1, 1, 4]) {
  console.log(
    `${url === undefined ? 'sqlite' : 'postgres'}, ${facilities} facilities: ${await measure(ledger, facilities)} rows/s`,
  );
}
await ledger.close();
await rm(folder, { recursive: true });
