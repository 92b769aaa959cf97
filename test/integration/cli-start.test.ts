/** How the command line starts: what it says of itself, and that a command reads its own files and no others. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainPath } from '../../src/testing/servers/scangate-server.ts';
import { pageAt, tableUnder } from '../unit/docs/markdown.ts';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function scangate(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [mainPath, ...args], { env: { ...process.env, ...environment } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

/** The sources and the packages that a run has read: V8 lists the files of the bundle, and in each the modules are named that it was made of. */
async function readBy(args: readonly string[]): Promise<{ readonly sources: string[]; readonly packages: Set<string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'scangate-start-'));
  try {
    await scangate(args, { NODE_V8_COVERAGE: folder });
    const urls = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
    const modules = urls.flatMap((url) => {
      const named = readFileSync(new URL(url), 'utf8').matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm);
      return [url, ...[...named].map(([, path = '']) => path)];
    });
    const packages = modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    return { sources: modules.flatMap((path) => /^src\/(.+)$/.exec(path)?.[1] ?? []), packages: new Set(packages) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('its version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await scangate(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('a command that there is not is one sentence, with the one that was meant, and then the help with all of them', async () => {
  const { code, stdout, stderr } = await scangate(['sevre']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^error: unknown command 'sevre'\n\(Did you mean serve\?\)\n/);
  for (const name of ['serve', 'import', 'decode', 'trace', 'verify', 'simulate']) expect(stderr).toContain(`\n  ${name} `);
});

test.each([['--help'], ['help'], []])('the help lists every command (%s)', async (...words) => {
  const { stdout, stderr } = await scangate(words);
  const named = [...`${stdout}${stderr}`.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const ours = ['serve', 'import', 'decode', 'directory', 'trace', 'explain', 'doctor', 'migrate'];
  expect(named).toEqual([...ours, 'quarantine', 'verify', 'reconcile', 'simulate', 'help']);
});

test('its own options are on the page of the command line', async () => {
  const { stdout } = await scangate(['--help']);
  const options = [...stdout.matchAll(/^ {2}(?:-h, )?(--\w+) +(.+)$/gm)].map(([, option = '', what = '']) => [option, what]);
  const page = tableUnder(pageAt('docs/reference/cli.md'), 'scangate');
  expect(options).toEqual(page.map((row) => [row['Option'], row['What it is']]));
});

test('the help of a command is asked for in two ways', async () => {
  const [after, before] = await Promise.all([scangate(['trace', '--help']), scangate(['help', 'trace'])]);
  expect(after.stdout).toMatch(/^Usage: scangate trace \[options\] <name>\n/);
  expect(after).toEqual(before);
});

test('its version needs no command', async () => {
  const { sources, packages } = await readBy(['--version']);
  expect(sources.sort()).toEqual(['base/errors.ts', 'base/package-folder.ts', 'cli/commands.ts', 'cli/main.ts']);
  expect([...packages]).toEqual(['commander']);
});

test.each([
  ['trace', ['trace', 'x', '--data', '/nowhere']],
  ['decode', ['decode', '0100312345678906']],
  ['simulate', ['simulate', '--seeds', '1', '--scans', '1']],
])('%s reads no client of a server and no server', async (name, args) => {
  const { sources, packages } = await readBy(args);
  expect(sources).toContain(`cli/${name}.ts`);
  for (const one of ['fastify', 'ioredis', 'pg', 'pino', 'prom-client']) expect([...packages]).not.toContain(one);
});

test('a server reads nothing that its settings and its first scan do not need', async () => {
  const data = mkdtempSync(join(tmpdir(), 'scangate-start-'));
  try {
    // An address of no machine: it ends at the last step of its start.
    const { sources, packages } = await readBy(['serve', '--data', data, '--host', '192.0.2.1']);
    expect(sources).toContain('ingest/http/server.ts');
    expect([...packages]).toEqual(expect.arrayContaining(['better-sqlite3', 'fastify', 'pino', 'prom-client']));
    const forOthers = ['ioredis', 'pg', 'cli-table3', 'csv-parse', 'temporal-polyfill', '@fastify/swagger'];
    for (const one of forOthers) expect([...packages]).not.toContain(one);
  } finally {
    rmSync(data, { recursive: true });
  }
});
