import { Command, Option } from 'commander';
import { systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { randomIds } from '../base/ids.ts';
import type { ClaimInspector } from '../claim/claim-inspector.ts';
import { type Encoding, encodings } from '../ingest/file/text-encoding.ts';
import { compareClaims } from '../records/compare-claims.ts';
import { compareFile, type FileScope, ProductNames } from '../records/compare-file.ts';
import { compareTallies } from '../records/compare-tallies.ts';
import { Days } from '../records/days.ts';
import { readBooks } from '../records/read-books.ts';
import { rebuildClaims } from '../records/rebuild-claims.ts';
import { recentLines, remainingMs } from '../records/recent-lines.ts';
import { parseCalendarDate } from '../scan/calendar-date.ts';
import { quoted } from '../scan/rejection.ts';
import { type Config, scannerPolicyOf } from '../service/config.ts';
import { ledgerKeys, type ReadableBooks, withReadableBooks } from './open-books.ts';
import { addPair, asDelimiter } from './option-values.ts';
import { type OtherFile, rowsOf } from './reconcile-file.ts';
import { differencesIn, type ReconcileReport, rebuiltText, reportText } from './reconcile-report.ts';
import { settingsOf, withSettings } from './settings.ts';

interface Flags {
  readonly map?: OtherFile['map'];
  readonly set?: OtherFile['set'];
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  readonly zone: string;
  readonly facility?: string;
  readonly from?: string;
  readonly to?: string;
  readonly rebuildClaims?: true;
  readonly json?: true;
}

const help = `
Nothing is changed. A correction is a scan that a person can post with "scangate import"; its id makes sure that it counts once.

Exit code: 0 when there is no difference, 2 when there are differences, 1 when it failed.`;

export function reconcileCommand(): Command {
  const command = new Command('reconcile')
    .description('Compare the ledger with its journal, with the claims in Redis, and with a file of another system.')
    .argument('[file]', 'CSV file of the lines of another system')
    .option('--map <field=column>', 'which column of the file holds a field, repeatable', addPair)
    .option('--set <field=value>', 'the value of a field in every row of the file, repeatable', addPair)
    .addOption(new Option('--encoding <encoding>', 'of a file without a byte-order mark (default: utf-8)').choices(encodings))
    .option('--delimiter <character>', 'between the columns; tab or \\t for a tab (default: from the header)', asDelimiter)
    .option('--zone <zone>', 'time zone in which days are counted, as in America/New_York', 'UTC')
    .option('--facility <id>', 'compare the file with this facility only (default: those of the file)')
    .option('--from <day>', 'compare the file from this day on (default: its first)')
    .option('--to <day>', 'compare the file up to this day (default: its last)')
    .option('--rebuild-claims', 'after a loss of Redis: write the claims of the last W + guard again, and compare nothing')
    .option('--json', 'the report as JSON')
    .addHelpText('after', help);
  return withSettings(command, [...ledgerKeys, 'redis', 'claim_keys', 'window_ms', 'guard_ms', 'scanner_classes']).action(
    async (path: string | undefined, flags: Flags) => {
      const config = settingsOf(command);
      if (flags.rebuildClaims === true) await rebuild(config, path, flags);
      else await compare(config, path, flags);
    },
  );
}

async function rebuild(config: Config, path: string | undefined, flags: Flags): Promise<void> {
  if (config.redis === '') throw new ScanGateError('SG_CONFIG_INVALID', '--rebuild-claims needs the --redis that lost them.');
  if (path !== undefined)
    throw new ScanGateError('SG_CONFIG_INVALID', '--rebuild-claims compares no file. Do one after the other.');
  const rebuilt = await withReadableBooks(config, (books) =>
    withInspector(config, (inspector) => {
      const claims = claimsOf(config, books);
      return rebuildClaims({ ...claims, inspector, ids: randomIds });
    }),
  );
  console.log(flags.json === true ? JSON.stringify({ rebuilt }) : rebuiltText(rebuilt));
}

async function compare(config: Config, path: string | undefined, flags: Flags): Promise<void> {
  const days = daysOf(flags.zone);
  const scope = scopeOf(flags);
  const report = await withReadableBooks(config, async (books): Promise<ReconcileReport> => {
    const products = new ProductNames();
    const read = await readBooks(books.reader, days, (line) => products.add(line));
    const { journal, ledger, records, lines, unreadable } = read;
    const whole = { records, lines, unreadable, differences: compareTallies(ledger, journal, days, 'the journal') };
    const file = path === undefined ? undefined : await compareFile(rowsOf(fileOf(path, flags)), ledger, products, days, scope);
    const claims =
      config.redis === ''
        ? undefined
        : await withInspector(config, (inspector) => compareClaims({ ...claimsOf(config, books), inspector }));
    return { journal: whole, ...(claims !== undefined && { claims }), ...(file !== undefined && { file }) };
  });
  console.log(flags.json === true ? JSON.stringify(report) : reportText(report));
  process.exitCode = differencesIn(report) > 0 ? 2 : 0;
}

/** What of the ledger a claim should stand for, by the settings of the workers. */
function claimsOf(config: Config, books: ReadableBooks) {
  const classOf = scannerPolicyOf(config);
  const remaining = remainingMs((line) => classOf(line.scanner_id, line.facility_uuid).guardMs);
  const nowMs = (): number => systemClock.nowMs();
  return {
    reader: books.reader,
    recent: recentLines(books, remaining, nowMs),
    remaining,
    keyedBy: config.claim_keys === 'recipe' ? ('pick' as const) : ('content' as const),
    guardMs: Math.min(config.guard_ms, ...Object.values(config.scanner_classes).map((own) => own.guard_ms ?? config.guard_ms)),
    nowMs,
  };
}

async function withInspector<T>({ redis }: Config, use: (inspector: ClaimInspector) => Promise<T>): Promise<T> {
  const { openClaimInspector } = await import('../claim/redis-claim-inspector.ts');
  const inspector = await openClaimInspector(redis);
  try {
    return await use(inspector);
  } finally {
    await inspector.close();
  }
}

function fileOf(path: string, { map = {}, set = {}, encoding, delimiter }: Flags): OtherFile {
  return {
    path,
    map,
    set,
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter: delimiter }),
  };
}

function scopeOf({ facility, from, to }: Flags): FileScope {
  return {
    ...(facility !== undefined && { facility }),
    ...(from !== undefined && { from: dayOf('--from', from) }),
    ...(to !== undefined && { to: dayOf('--to', to) }),
  };
}

function dayOf(option: string, text: string): string {
  const day = parseCalendarDate(option, text);
  if (day.ok) return day.value;
  throw new ScanGateError('SG_CONFIG_INVALID', day.error.message);
}

function daysOf(zone: string): Days {
  try {
    return new Days(zone);
  } catch {
    throw new ScanGateError('SG_CONFIG_INVALID', `There is no time zone ${quoted(zone)}; give an IANA name.`);
  }
}
