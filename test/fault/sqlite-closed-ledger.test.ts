import { join } from 'node:path';
import { SqliteLedger } from 'scangate/sqlite';
import { expect, test } from 'vitest';
import { inWords } from '../../src/testing/decision-words.ts';
import { rejectionAt, scanAt } from '../../src/testing/wire-scans.ts';
import { openBooks, temporaryFolder } from './sqlite-folder.ts';

const closed = expect.objectContaining({ code: 'SG_LEDGER_FAILED', message: 'The ledger is closed. Restart the server.' });

test('what was sent before the ledger is closed is decided, and what is sent afterwards is refused', async () => {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  const ledger = await SqliteLedger.open(path);
  const sent = [0, 3_000, 6_000].map((ms) => ledger.append([scanAt(ms)]));
  await ledger.close();
  expect((await Promise.all(sent)).flat().map(inWords)).toEqual(['committed 1', 'committed 2', 'committed 3']);
  await expect(ledger.append([scanAt(9_000)])).rejects.toEqual(closed);
  await expect(ledger.lines({ limit: 1 })).rejects.toEqual(closed);
  expect(openBooks(path).lines({ limit: 10 }).items).toHaveLength(3);
});

test('a ledger can be closed twice', async () => {
  const ledger = await SqliteLedger.open(join(temporaryFolder(), 'ledger.sqlite'));
  await ledger.close();
  await expect(ledger.close()).resolves.toBeUndefined();
});

test('a ledger that was opened again goes on where it ended, and its answers are the same', async () => {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  for (const expected of [
    ['committed 1', 'suppressed 1 same_content 100', 'rejected'],
    ['suppressed 1 same_scan_id 0', 'suppressed 1 same_scan_id 100', 'rejected'],
  ]) {
    const ledger = await SqliteLedger.open(path);
    const decisions = await ledger.append([scanAt(0, { scan_uuid: 'A' }), scanAt(100, { scan_uuid: 'B' }), rejectionAt(200)]);
    expect(decisions.map(inWords)).toEqual(expected);
    await ledger.close();
  }
  expect(openBooks(path).audit()).toMatchObject({ facilities: [{ records: 6, lines: 1 }], breaks: [] });
});
