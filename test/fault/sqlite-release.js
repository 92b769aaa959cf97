// Releases the inputs that are given, all at once, through the ledger that is given, as soon as a line comes in. Prints what became of each.
import { createInterface } from 'node:readline';
import { SqliteLedger } from 'scangate/sqlite';
import { Quarantine } from '../../dist/gate/quarantine.js';
import { defaultScannerClass } from '../../dist/identity/scanner-class.js';

const [path, name, ...ids] = process.argv.slice(2);
const ledger = await SqliteLedger.open(path, { busyMs: 30_000 });
const quarantine = new Quarantine({ ledger, policy: () => defaultScannerClass });
process.stdout.write('ready\n');
for await (const _ of createInterface({ input: process.stdin })) break;
await Promise.all(
  ids.map(async (id, index) => {
    const corrections = { quantity: '1', lot_number: `${name}${index}` };
    const result = await quarantine.release({ id, actor: name, reason: 'race', corrections });
    const told = result.kind === 'decided' ? result.verdict.decision.outcome : result.kind;
    process.stdout.write(`${id} ${told}\n`);
  }),
);
await ledger.close();
process.exit(0);
