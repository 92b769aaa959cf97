import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import pino, { type Logger } from 'pino';
import { within } from '../base/deadline.ts';
import { type RunningServer, serve } from '../service/serve.ts';
import { settingsOf, withSettings } from './settings.ts';

export function serveCommand(): Command {
  const command = new Command('serve').description('Take scans over HTTP, with the ledger in a directory of this machine.');
  return withSettings(command).action(async () => {
    const destination = pino.destination({ dest: 1, sync: false, maxLength: logBytesMax });
    const starting = serve(settingsOf(command), decisionLogger(destination));
    // Before it says that it listens: whoever reads that may stop it at once.
    const stop = once(() => stopAndExit(starting, destination));
    stopOnSignals(stop);
    stopWithNpm(stop);
    const server = await starting;
    console.error(banner(server));
  });
}

/** A reader of the log that has stopped reading must not fill the memory: lines beyond this are dropped. */
const logBytesMax = 32 * 1024 * 1024;

/** How long such a reader may hold up the end of the process, ms. */
const lastLinesMs = 1_000;

type Destination = ReturnType<typeof pino.destination>;

/** One line of JSON a decision on stdout, and nothing else there. */
function decisionLogger(destination: Destination): Logger {
  // Whoever read the log has gone: scans are taken all the same, the journal is the evidence.
  destination.on('error', () => undefined);
  // Without its level, which pino would put before the sorted keys, a line begins with a stray comma.
  const hooks = { streamWrite: (line: string) => line.replace(/^\{,/, '{') };
  return pino({ base: null, timestamp: false, formatters: { level: () => ({}) }, hooks }, destination);
}

function banner({ url, place, warnings }: RunningServer): string {
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
    `ScanGate takes scans at ${url}; its data is in ${place}`,
    'Post a scan, then post it again:',
    '',
    `curl -sS -i -X POST ${url}/v1/scans -H 'content-type: application/json' -d '${JSON.stringify(scan)}'`,
    '',
  ];
  return [...warnings.map((warning) => `WARNING: ${warning}`), ...lines].join('\n');
}

function stopOnSignals(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error(`${signal}: finishing what was taken.`);
      stop();
    });
  }
}

/** `npm start` that is killed leaves its child running: without this it would go on holding the port and the data. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 250).unref();
}

function once(act: () => Promise<void>): () => void {
  let begun = false;
  return () => {
    if (!begun) void act();
    begun = true;
  };
}

/** One that is still starting is stopped when it has. */
async function stopAndExit(starting: Promise<RunningServer>, destination: Destination): Promise<void> {
  const server = await starting.catch(() => undefined);
  // Why it could not start is said where it was started.
  if (server === undefined) return;
  try {
    await server.stop();
    await writeLastLines(destination);
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

async function writeLastLines(destination: Destination): Promise<void> {
  const written = new Promise<'written'>((resolve) => destination.once('close', () => resolve('written')));
  destination.end();
  // What is left then would otherwise be waited for at the exit, for ever.
  if ((await within(lastLinesMs, written, 'late')) === 'late') destination.destroy();
}
