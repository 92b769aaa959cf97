// Imports the log that is given, with the product directory beside the ledger and a profile that reads its barcodes. Kills itself when a
// transaction of that number, counted from 1, is on disk, and before what it rejected is listed. Prints the summary at its end.
import { SqliteLedger } from 'scangate/sqlite';
import { systemClock } from '../../dist/base/clock.js';
import { SqliteProductDirectory } from '../../dist/directory/sqlite-product-directory.js';
import { Gate } from '../../dist/gate/gate.js';
import { defaultScannerClass } from '../../dist/identity/scanner-class.js';
import { importFile } from '../../dist/ingest/file/import-file.js';
import { logMeaning } from './log-meaning.js';

const [path, ledgerPath, directoryPath, killAt] = process.argv.slice(2);
const ledger = await SqliteLedger.open(ledgerPath);
const policy = () => ({ ...defaultScannerClass, profile: { separatorAliases: ['|'] } });
const gate = new Gate({ ledger, policy, directory: new SqliteProductDirectory(directoryPath) });
let transactions = 0;
const submitTogether = async (...batch) => {
  const verdicts = await gate.submitTogether(...batch);
  transactions += 1;
  if (transactions === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  return verdicts;
};
const summary = await importFile({
  path,
  meaning: logMeaning,
  gate: { submitTogether },
  ledger,
  clock: systemClock,
  limits: { rowsPerTransaction: 5 },
});
process.stdout.write(`${JSON.stringify(summary)}\n`);
await ledger.close();
process.exit(0);
