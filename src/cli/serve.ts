import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import pino, { type Logger } from 'pino';
import { type RunningServer, serve } from '../service/serve.ts';
import { settingsOf, withSettings } from './settings.ts';

export function serveCommand(): Command {
  const command = new Command('serve').description('Take scans over HTTP, with the ledger in a directory of this machine.');
  return withSettings(command).action(async () => {
    const server = await serve(settingsOf(command), decisionLogger());
    stopOnSignals(server);
    stopWithNpm(server);
    console.error(banner(server));
  });
}

/** One line of JSON a decision on stdout, and nothing else there. */
function decisionLogger(): Logger {
  // A reader that has stopped reading must not fill the memory: lines beyond this are dropped.
  const destination = pino.destination({ dest: 1, sync: false, maxLength: 32 * 1024 * 1024 });
  // Whoever read the log has gone: scans are taken all the same, the journal is the evidence.
  destination.on('error', () => undefined);
  // Without its level, which pino would put before the sorted keys, a line begins with a stray comma.
  const hooks = { streamWrite: (line: string) => line.replace(/^\{,/, '{') };
  return pino({ base: null, timestamp: false, formatters: { level: () => ({}) }, hooks }, destination);
}

function banner({ url, dataPath, warning }: RunningServer): string {
  const scan = {
    facility_uuid: '5f0c6a52-7e1b-4c0e-9b39-0d2f3b6c8a11',
    scanner_id: 'SCN-04',
    scan_type: 'dispense',
    ndc: '0093-5732-01',
    lot_number: 'A1207',
    quantity: 1,
    scan_uuid: randomUUID(),
  };
  const lines = [
    `ScanGate takes scans at ${url}; its data is in ${dataPath}`,
    'Post a scan, then post it again:',
    '',
    `curl -sS -i -X POST ${url}/v1/scans -H 'content-type: application/json' -d '${JSON.stringify(scan)}'`,
    '',
  ];
  return (warning === undefined ? lines : [`WARNING: ${warning}`, ...lines]).join('\n');
}

function stopOnSignals(server: RunningServer): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error(`${signal}: finishing what was taken.`);
      void stopAndExit(server);
    });
  }
}

/** `npm start` that is killed leaves its child running: without this it would go on holding the port and the data. */
function stopWithNpm(server: RunningServer): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stopAndExit(server);
  }, 250).unref();
}

async function stopAndExit(server: RunningServer): Promise<void> {
  try {
    await server.stop();
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
