import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/service/config.ts';
import { checkLedgerIsThere, markLedgerMade, prepareDataDirectory } from '../../src/service/data-directory.ts';
import { scangate, startServer } from '../support/server.ts';
import { ledgerFile } from '../support/server-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'scangate-lost-'));
const { data } = loadConfig({ flags: { data: join(folder, 'data') }, environment: {} });

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a data directory whose ledger is gone', () => {
  it('is refused with the path, and does not look like a new one', () => {
    const directory = prepareDataDirectory(data, false);
    expect(() => checkLedgerIsThere(directory)).not.toThrow();
    markLedgerMade(directory);
    expect(() => checkLedgerIsThere(directory)).toThrow(
      `The ledger ${join(data, 'ledger.sqlite')} was made here before, and is gone or empty. Restore it, or remove ${join(data, 'ledger.made')} to begin a new one.`,
    );
  });

  it('is not served', async () => {
    const server = await startServer();
    expect((await server.stop()).code).toBe(0);
    rmSync(ledgerFile(server.data));
    const refused = await scangate(['serve', '--port', '0', '--data', server.data]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`The ledger ${ledgerFile(server.data)} was made here before, and is gone or empty.`);
    expect(existsSync(ledgerFile(server.data))).toBe(false);
  });
});
