// Appends to a ledger in the folder that is given until it is refused three times, then takes the ballast off the disk and goes on.
// Prints one JSON report.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteLedger } from 'scangate/sqlite';
import { scanAt } from 'scangate/testing';

const folder = process.argv[2];
const path = join(folder, 'ledger.sqlite');
const ballast = join(folder, 'ballast');
writeFileSync(ballast, Buffer.alloc(500_000));
const ledger = await SqliteLedger.open(path);

/** Twenty scans, each a content of its own, named by the number of the batch. */
async function append(number) {
  const ids = Array.from({ length: 20 }, (_, index) => `${number}.${index}`);
  try {
    const decisions = await ledger.append(ids.map((id) => scanAt(0, { scan_uuid: id, lot_number: id })));
    return { ids, outcomes: [...new Set(decisions.map(({ outcome }) => outcome))] };
  } catch (error) {
    return { ids, refused: { code: error.code, namesFile: error.message.includes(path) } };
  }
}

const acknowledged = [];
const refused = [];
for (let number = 0; refused.length < 3; number = acknowledged.length / 20) {
  const answer = await append(number);
  if (answer.refused === undefined) acknowledged.push(...answer.ids);
  else refused.push(answer.refused);
}
const kept = (await ledger.lines({ limit: 100_000 })).items.map((line) => line.scan_uuid);
rmSync(ballast);
const again = await append(acknowledged.length / 20);
const retransmitted = await append(0);
await ledger.close();
process.stdout.write(JSON.stringify({ acknowledged, refused, kept, again, retransmitted }));
