import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mainPath } from '../../src/testing/servers/scangate-server.ts';
import { type ServerProcess, scangate, start, startServer, until } from '../support/server.ts';
import { breaksIn, read } from '../support/server-ledger.ts';
import { Load } from '../support/server-load.ts';
import { seeded } from '../support/server-seed.ts';

const kills = 100;

test('whatever was answered 2xx is in the ledger once, after kill -9 at 100 random moments under load', {
  timeout: 600_000,
}, async () => {
  const random = seeded();
  const first = await startServer();
  const { data, port } = first;
  const restart = (): Promise<ServerProcess> => startServer({ data, args: ['--port', String(port)] });
  let current = Promise.resolve(first);
  const load = new Load({ scanners: 8, server: () => current });
  let checked = 0;

  for (let kill = 0; kill < kills; kill += 1) {
    const server = await current;
    const enough = load.receipts.length + 1 + random.below(60);
    await until(() => (load.receipts.length >= enough ? true : undefined), 30_000);
    await after(random.below(10));
    // From here on the scanners wait for the next server.
    let ready: (next: Promise<ServerProcess>) => void = () => undefined;
    current = new Promise((resolve) => {
      ready = resolve;
    });
    server.kill('SIGKILL');
    expect((await server.ended).signal).toBe('SIGKILL');
    if (kill % 10 === 5) await killWhileStarting(data, random.below(600));
    // The next one starts on what this one left, while that is looked at.
    ready(restart());
    const receipts = load.receipts.slice(checked);
    checked += receipts.length;
    expect(entriesOf(data, receipts)).toEqual(receipts.map(({ entryId, serial }) => `${entryId} ${serial}`));
    expect(read(data, 'SELECT serial_number FROM ledger_lines GROUP BY serial_number HAVING count(*) > 1')).toEqual([]);
    // A break never heals, so that a later look finds it as well; and each looks through everything from the beginning.
    if (kill % 5 === 4) expect(breaksIn(data)).toEqual([]);
    if (kill % 10 === 9) expect(await scangate(['verify', '--data', data])).toMatchObject({ code: 0, stderr: '' });
  }
  await load.stop();
  expect(load.surprises).toEqual([]);
  expect(load.receipts.length).toBeGreaterThan(kills);

  const server = await current;
  expect((await server.stop()).code).toBe(0);
  const lines = read(data, 'SELECT serial_number FROM ledger_lines');
  expect(lines.toSorted()).toEqual(load.serials.toSorted());
  const committed = read(
    data,
    "SELECT json_extract(record, '$.scan.serial_number') FROM journal_records WHERE outcome = 'committed'",
  );
  expect(committed.toSorted()).toEqual(load.serials.toSorted());
  const [suppressed] = read(data, "SELECT count(*) FROM journal_records WHERE outcome = 'suppressed'");
  const acknowledged = load.receipts.filter(({ outcome }) => outcome === 'suppressed').length;
  expect(Number(suppressed)).toBeGreaterThanOrEqual(acknowledged);
  expect(await scangate(['verify', '--data', data])).toMatchObject({ code: 0, stderr: '' });
});

function entriesOf(data: string, receipts: readonly { readonly entryId: string }[]): unknown[] {
  const ids = JSON.stringify(receipts.map(({ entryId }) => entryId));
  return read(
    data,
    `SELECT entry_id || ' ' || serial_number FROM json_each(?) AS named JOIN ledger_lines ON entry_id = named.value ORDER BY named.key`,
    ids,
  );
}

/** A server that is killed before, while or after it opens the ledger. */
async function killWhileStarting(data: string, afterMs: number): Promise<void> {
  const starting = start(process.execPath, [mainPath, 'serve', '--port', '0', '--data', data]);
  await after(afterMs);
  starting.kill('SIGKILL');
  await starting.ended;
}
