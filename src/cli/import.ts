import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { type ImportOptions, type ImportSummary, importFile } from '../ingest/file/import-file.ts';
import { checkMeaning, type FileFormat, type FileMeaning, fileFormats, formatOfName } from '../ingest/file/import-options.ts';
import { type Encoding, encodings } from '../ingest/file/text-encoding.ts';
import { openSystem } from '../service/system.ts';
import { writingKeys } from './open-books.ts';
import { addName, addPair, asDelimiter } from './option-values.ts';
import { progressBar } from './progress-bar.ts';
import { settingsOf, withSettings } from './settings.ts';

interface ImportFlags {
  readonly format?: FileFormat;
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  readonly map?: FileMeaning['columns'];
  readonly set?: FileMeaning['constants'];
  readonly ignoreColumn?: readonly string[];
  readonly ignoreUnmapped?: true;
  readonly zone?: string;
  readonly decimalComma?: true;
  readonly rejected?: string;
  readonly json?: true;
}

const help = `
Every column is a field of a scan by its own name or by --map; an empty cell is a field that is not there.
An import that was stopped goes on where it stopped when it is started again with the same file and options;
one that had finished commits nothing new.

Exit code: 0 when no row was rejected, 2 when rows were rejected and the others imported, 1 when it failed.`;

export function importCommand(): Command {
  const command = new Command('import')
    .description('Take the scans of a CSV or NDJSON file.')
    .argument('<file>', 'the file')
    .addOption(new Option('--format <format>', 'what the file is (default: by its name)').choices(fileFormats))
    .addOption(new Option('--encoding <encoding>', 'of a file without a byte-order mark (default: utf-8)').choices(encodings))
    .option('--delimiter <character>', 'between the columns; tab or \\t for a tab (default: from the header)', asDelimiter)
    .option('--map <field=column>', 'which column holds a field, repeatable', addPair)
    .option('--set <field=value>', 'the value of a field in every row, repeatable', addPair)
    .option('--ignore-column <column>', 'pass over a column, repeatable', addName)
    .option('--ignore-unmapped', 'pass over every column that is no field of a scan')
    .option('--zone <zone>', 'time zone of times without an offset, as in America/New_York')
    .option('--decimal-comma', 'quantities are written as in 0,5')
    .option('--rejected <path>', 'where rejected rows are listed (default: <file>.rejected.csv)')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', help);
  return withSettings(command, [...writingKeys, 'captured_ahead_ms_max', 'check_on_start', 'allow_network_file_system']).action(
    async (path: string, flags: ImportFlags) => {
      const summary = await runImport(path, flags, command);
      console.log(flags.json === true ? JSON.stringify(summary) : readable(summary));
      process.exitCode = summary.rejected > 0 ? 2 : 0;
    },
  );
}

async function runImport(path: string, flags: ImportFlags, command: Command): Promise<ImportSummary> {
  const meaning = meaningOf(path, flags);
  const config = settingsOf(command);
  const { gate, ledger, warning, close } = await openSystem(config);
  if (warning !== undefined) console.error(`WARNING: ${warning}`);
  const bar = progressBar('rows');
  const options: ImportOptions = {
    path,
    meaning,
    gate,
    ledger,
    clock: systemClock,
    aheadMsMax: config.captured_ahead_ms_max,
    onProgress: ({ bytes, bytesTotal, counts }) => bar.show(bytes, bytesTotal, counts.read),
    ...(flags.rejected !== undefined && { rejectedPath: flags.rejected }),
  };
  try {
    return await importFile(options);
  } catch (error) {
    throw withAdvice(error, path);
  } finally {
    bar.end();
    await close();
  }
}

function meaningOf(path: string, flags: ImportFlags): FileMeaning {
  const format = flags.format ?? formatOfName(path);
  if (format === undefined) {
    throw new ScanGateError('SG_INPUT_FILE', `The name of ${path} does not say what it is. Add --format csv or --format ndjson.`);
  }
  const { encoding, delimiter, zone } = flags;
  const meaning: FileMeaning = {
    format,
    columns: flags.map ?? {},
    constants: flags.set ?? {},
    ignoredColumns: flags.ignoreColumn ?? [],
    ignoresUnmapped: flags.ignoreUnmapped === true,
    hasDecimalComma: flags.decimalComma === true,
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter }),
    ...(zone !== undefined && { zone }),
  };
  checkMeaning(meaning);
  return meaning;
}

/** What is acknowledged stays; the rest is taken by the next run. */
function withAdvice(error: unknown, path: string): unknown {
  if (!(error instanceof ScanGateError) || !error.retryable) return error;
  const message = `${error.message} Import ${path} again with the same options: it goes on where it stopped.`;
  return new ScanGateError(error.code, message, { cause: error });
}

function readable(summary: ImportSummary): string {
  const { read, committed, suppressed, conflict, rejected, identical_rows, resumed_at_line, rejected_file } = summary;
  const count = (what: string, rows: number, more = ''): string => `  ${what.padEnd(10)} ${String(rows).padStart(9)}${more}`;
  const flagged = Object.entries(summary.flags).map(([flag, rows]) => `${flag} ${rows}`);
  return [
    `${basename(summary.file)}: ${read} rows read`,
    count('committed', committed),
    count('suppressed', suppressed, identical_rows > 0 ? `  (${identical_rows} identical to a row before, without an id)` : ''),
    count('conflict', conflict),
    count('rejected', rejected, rejected_file === undefined ? '' : `  listed in ${rejected_file}`),
    ...(flagged.length > 0 ? [`Flagged: ${flagged.join(', ')}.`] : []),
    ...(resumed_at_line !== undefined ? [`Went on at line ${resumed_at_line}, where an earlier run had stopped.`] : []),
  ].join('\n');
}
