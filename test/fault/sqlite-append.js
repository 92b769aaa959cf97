// Appends scans to the ledger that is given, in batches of one to five, several at once, and prints the id of each scan when it is
// acknowledged. It goes on until it is killed.
import { SqliteLedger } from 'scangate/sqlite';
import { scanAt } from 'scangate/testing';

const [path, prefix] = process.argv.slice(2);
const ledger = await SqliteLedger.open(path);
let sent = 0;

async function sendOn() {
  for (;;) {
    const ids = Array.from({ length: 1 + (sent % 5) }, () => `${prefix}.${sent++}`);
    const decisions = await ledger.append(ids.map((id) => scanAt(0, { scan_uuid: id, lot_number: id })));
    process.stdout.write(decisions.map(({ outcome }, index) => `${ids[index]} ${outcome}\n`).join(''));
  }
}

await Promise.all([sendOn(), sendOn(), sendOn()]);
