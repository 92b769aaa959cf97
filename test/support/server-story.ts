/** A server with the story of one physical scan in its ledger, a second scan after it, and one that was refused. */
import { type EntryRef, post } from './http-client.ts';
import { type ServerProcess, startServer } from './server.ts';

export interface Story {
  readonly server: ServerProcess;
  readonly claimKey: string;
  /** Of the first scan, under the id `trigger-1`, at 2025-11-03T21:45:39Z. */
  readonly first: EntryRef;
  /** Of the second, under `trigger-3`, 3 s later. */
  readonly second: EntryRef;
  /** What was refused, under `trigger-4`, is kept as this. */
  readonly quarantineId: string;
}

const captured = 1_762_206_339_000;

export async function startStory(): Promise<Story> {
  const server = await startServer({ args: ['--captured-age-ms-max', '9000000000000'] });
  const send = async (changes: Readonly<Record<string, unknown>>) => {
    const common = {
      facility_uuid: 'site-1',
      scanner_id: 'SCN-04',
      scan_type: 'dispense',
      ndc: '0093-7214-10',
      lot_number: 'A1207',
    };
    return (await post(server, { ...common, captured_at: captured, ...changes })).answer;
  };
  const first = await send({ scan_uuid: 'trigger-1' });
  await send({ scan_uuid: 'trigger-2', captured_at: captured + 700 });
  await send({ scan_uuid: 'trigger-1' });
  await send({ scan_uuid: 'trigger-1', quantity: 2 });
  const second = await send({ scan_uuid: 'trigger-3', captured_at: captured + 3_000 });
  const refused = await send({ scan_uuid: 'trigger-4', quantity: 'many' });
  if (first.entry === undefined || second.entry === undefined) throw new Error('Nothing was committed.');
  return {
    server,
    claimKey: first.claim_key ?? '',
    first: first.entry,
    second: second.entry,
    quarantineId: refused.quarantine_id ?? '',
  };
}
