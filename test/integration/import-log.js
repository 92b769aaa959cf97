// Imports the log that is given into the ledger that is given. Prints how many rows it has read after each transaction, and at its end
// the summary.
import { SqliteLedger } from 'scangate/sqlite';
import { systemClock } from '../../dist/base/clock.js';
import { Gate } from '../../dist/gate/gate.js';
import { defaultScannerClass } from '../../dist/identity/scanner-class.js';
import { importFile } from '../../dist/ingest/file/import-file.js';
import { logMeaning } from './log-meaning.js';

const [path, ledgerPath] = process.argv.slice(2);
const ledger = await SqliteLedger.open(ledgerPath);
const summary = await importFile({
  path,
  meaning: logMeaning,
  gate: new Gate({ ledger, policy: () => defaultScannerClass }),
  ledger,
  clock: systemClock,
  onProgress: ({ counts }) => process.stdout.write(`${counts.read}\n`),
});
process.stdout.write(`${JSON.stringify(summary)}\n`);
await ledger.close();
