import { Command, Option } from 'commander';
import { SqliteProductDirectory } from '../directory/sqlite-product-directory.ts';
import { type DirectoryImportSummary, importDirectory, type RefusedRow } from '../ingest/directory/import-directory.ts';
import { type Encoding, encodings } from '../ingest/file/text-encoding.ts';
import { prepareDataDirectory } from '../service/data-directory.ts';
import { progressBar } from './progress-bar.ts';
import { settingsOf, withSettings } from './settings.ts';

interface Flags {
  readonly encoding?: Encoding;
  readonly json?: true;
}

const help = `
A list of your own is a CSV file with the columns ndc and schedule (CI to CV, or none), and name, package_form and
units_per_container where you have them. A package takes the place of what is listed under its NDC.
An import that was stopped goes on where it stopped when it is started again with the same files.

Exit code: 0 when every row was a package, 2 when rows were refused and the others taken, 1 when it failed.`;

/** How many refused rows are shown one by one. */
const shownMax = 20;

export function directoryCommand(): Command {
  return new Command('directory')
    .description('The product directory: schedules, names and forms by NDC.')
    .addCommand(importCommand());
}

function importCommand(): Command {
  const command = new Command('import')
    .description("Take the packages of FDA's product.txt and package.txt, or of a CSV file.")
    .argument('<files...>', "FDA's two files, or one list of your own")
    .addOption(
      new Option(
        '--encoding <encoding>',
        "of files without a byte-order mark (default: windows-1252 for FDA's, else utf-8)",
      ).choices(encodings),
    )
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', help);
  return withSettings(command, ['data', 'allow_network_file_system']).action(async (paths: string[], flags: Flags) => {
    const summary = await runImport(paths, flags, command);
    console.log(flags.json === true ? JSON.stringify(summary) : readable(summary));
    process.exitCode = summary.refused > 0 ? 2 : 0;
  });
}

async function runImport(paths: readonly string[], { encoding }: Flags, command: Command): Promise<DirectoryImportSummary> {
  const config = settingsOf(command);
  const { productsPath } = prepareDataDirectory(config.data, config.allow_network_file_system);
  const directory = new SqliteProductDirectory(productsPath);
  const bar = progressBar('packages');
  const refused: RefusedRow[] = [];
  try {
    return await importDirectory({
      paths,
      directory,
      ...(encoding !== undefined && { encoding }),
      onProgress: ({ bytes, bytesTotal, packages }) => bar.show(bytes, bytesTotal, packages),
      onRefused: (row) => refused.length < shownMax && refused.push(row),
    });
  } finally {
    bar.end();
    for (const { file, line, message } of refused) console.error(`${file}:${line}: ${message}`);
    directory.close();
  }
}

function readable({ packages, refused, resumed_at_line }: DirectoryImportSummary): string {
  return [
    `${packages} packages taken, ${refused} rows refused${refused > shownMax ? ` (the first ${shownMax} are shown)` : ''}.`,
    ...(resumed_at_line !== undefined ? [`Went on at line ${resumed_at_line}, where an earlier run had stopped.`] : []),
  ].join('\n');
}
