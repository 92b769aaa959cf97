import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Address, post, send } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer, until } from '../support/server.ts';
import { breaksIn, read } from '../support/server-ledger.ts';
import { seeded } from '../support/server-seed.ts';

const kills = 6;
const inputs = 600;

interface Receipt {
  readonly serial: string;
  readonly status: number;
  readonly entryId: string;
}

/** People who release what is in quarantine, and ask again for what they have no answer for. */
class Releasing {
  readonly receipts: Receipt[] = [];
  readonly #left: { readonly serial: string; readonly id: string }[];
  readonly #server: () => Promise<Address>;
  readonly done: Promise<unknown>;

  constructor(ids: ReadonlyMap<string, string>, server: () => Promise<Address>) {
    this.#left = [...ids].map(([serial, id]) => ({ serial, id }));
    this.#server = server;
    this.done = Promise.all(Array.from({ length: 8 }, () => this.#release()));
  }

  async #release(): Promise<void> {
    for (let one = this.#left.pop(); one !== undefined; one = this.#left.pop()) {
      const { serial, id } = one;
      let receipt: Receipt | undefined;
      while (receipt === undefined) receipt = await this.#ask(serial, id);
      this.receipts.push(receipt);
    }
  }

  async #ask(serial: string, id: string): Promise<Receipt | undefined> {
    const body = JSON.stringify({ actor: 'RPh', reason: 'misread', corrections: { quantity: 1 } });
    const server = await this.#server();
    const sent = send(server, `/v1/quarantine/${id}/release`, body, { headers: { 'content-type': 'application/json' } });
    const answered = await sent.catch(() => undefined);
    if (answered === undefined || answered.status === 503) return undefined;
    const { quarantine, entry } = answered.answer as {
      quarantine?: { resolution: { entry: { id: string } } };
      entry?: { id: string };
    };
    return { serial, status: answered.status, entryId: (entry ?? quarantine?.resolution.entry)?.id ?? 'none' };
  }
}

test(`whatever release was answered is in the ledger once, after kill -9 at ${kills} random moments`, async () => {
  const random = seeded();
  const first = await startServer();
  const { data, port } = first;
  const bad = Array.from({ length: inputs }, (_, index) =>
    dispense('load', { serial_number: `S${index}`, scan_uuid: `t-${index}`, captured_at: recently + index, quantity: 'many' }),
  );
  const { answers } = await post(first, bad);
  const ids = new Map(answers.map(({ quarantine_id }, index) => [`S${index}`, quarantine_id ?? '']));
  expect(new Set(ids.values()).size).toBe(inputs);

  let current = Promise.resolve(first);
  const releasing = new Releasing(ids, () => current);
  for (let kill = 1; kill <= kills; kill += 1) {
    const server: ServerProcess = await current;
    const enough = Math.min(inputs - 50, releasing.receipts.length + 20 + random.below(60));
    await until(() => (releasing.receipts.length >= enough ? true : undefined), 30_000);
    await after(random.below(5));
    let ready: (next: Promise<ServerProcess>) => void = () => undefined;
    current = new Promise((resolve) => {
      ready = resolve;
    });
    server.kill('SIGKILL');
    expect((await server.ended).signal).toBe('SIGKILL');
    expect(unkept(data, releasing.receipts)).toEqual([]);
    expect(breaksIn(data)).toEqual([]);
    ready(startServer({ data, args: ['--port', String(port)] }));
  }
  await releasing.done;

  const { receipts } = releasing;
  expect(receipts).toHaveLength(inputs);
  expect(unkept(data, receipts)).toEqual([]);
  // Told that it had been released before is only who has not heard of it: at most one a person and kill.
  const statuses = new Set(receipts.map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
  expect(receipts.filter(({ status }) => status === 409).length).toBeLessThanOrEqual(8 * kills);
  const serials = read(data, 'SELECT serial_number FROM ledger_lines');
  expect(serials.toSorted()).toEqual([...ids.keys()].toSorted());
  expect(read(data, 'SELECT count(*) FROM quarantine_resolutions')).toEqual([inputs]);
  expect(read(data, 'SELECT count(*) FROM journal_records')).toEqual([2 * inputs]);
  expect(await scangate(['verify', '--data', data])).toMatchObject({ code: 0, stderr: '' });
});

/** What was answered and is not in the ledger under its serial, or is there twice. */
function unkept(data: string, receipts: readonly Receipt[]): unknown[] {
  expect(receipts.length).toBeGreaterThan(0);
  const answered = JSON.stringify(receipts.map(({ serial, entryId }) => [serial, entryId]));
  return read(
    data,
    `SELECT json_extract(named.value, '$[0]') FROM json_each(?) AS named
     WHERE (SELECT group_concat(entry_id) FROM ledger_lines WHERE serial_number = json_extract(named.value, '$[0]'))
       IS NOT json_extract(named.value, '$[1]')`,
    answered,
  );
}
