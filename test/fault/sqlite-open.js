// Opens the ledger that is given, and prints why not.
import { SqliteLedger } from 'scangate/sqlite';

try {
  await (await SqliteLedger.open(process.argv[2])).close();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write(`${error.code}: ${error.message}`);
}
