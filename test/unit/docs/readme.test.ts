/** Runs what the README shows, with the built program, in a folder of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencesOf, pageAt, repositoryRoot } from './markdown.ts';

const run = promisify(execFile);
const readme = pageAt('README.md');
const shell = fencesOf(readme, 'sh');
const curl = shell.find((code) => code.startsWith('curl ')) ?? '';
const commands = shell.find((code) => code.startsWith('scangate()')) ?? '';
const answers = fencesOf(readme, 'json').map((text) => JSON.parse(text) as unknown);
const settings: Record<string, string> = { PATH: process.env['PATH'] ?? '' };

const folder = mkdtempSync(join(tmpdir(), 'scangate-readme-'));
let server: ChildProcess;
let url = '';

beforeAll(async () => {
  expect(existsSync(join(repositoryRoot, 'dist/bin/scangate.js')), 'Run "npm run build" first.').toBe(true);
  // A clone with its build, in which the README's commands write nothing that is kept.
  symlinkSync(join(repositoryRoot, 'dist'), join(folder, 'dist'));
  copyFileSync(join(repositoryRoot, 'package.json'), join(folder, 'package.json'));
  server = spawn('node', ['dist/bin/scangate.js', 'serve', '--port', '0'], {
    cwd: folder,
    env: settings,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  url = await addressOf(server);
}, 30_000);

afterAll(async () => {
  if (server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true });
}, 30_000);

/** The address that the server prints when it takes scans. */
async function addressOf(started: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of started.stderr ?? []) {
    printed += String(chunk);
    const found = /at (http:\/\/\S+);/.exec(printed)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`The server did not start: ${printed}`);
}

async function bash(code: string): Promise<string> {
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', code], { cwd: folder, env: settings });
  return stdout;
}

const volatile = ['id', 'claim_key', 'occurred_at', 'received_at', 'gap_ms'];

/** The same, without what is another each time. */
function lasting(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (volatile.includes(key) ? typeof inner : inner)));
}

describe('the README', () => {
  it('names two commands that the package has', () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(shell.slice(0, 2)).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n']);
    expect(scripts['start']).toContain('dist/bin/scangate.js serve');
    expect(scripts['test']).toBe('bash scripts/test');
    expect(readFileSync(join(repositoryRoot, '.ci/run'), 'utf8')).toContain('npm ci\nnpm test\n');
  });

  it('shows how a scan is posted, and what is answered the first time and every other time', { timeout: 30_000 }, async () => {
    const line = curl.replace('http://127.0.0.1:8080', url);
    expect(line).not.toBe(curl);
    const first: unknown = JSON.parse(await bash(line));
    const again: unknown = JSON.parse(await bash(line));
    expect(answers).toHaveLength(2);
    expect(lasting(first)).toEqual(lasting(answers[0]));
    expect(lasting(again)).toMatchObject(lasting(answers[1]) as object);
    expect(again).toMatchObject({ of: (first as { entry: object }).entry });
  });

  it('shows how a log is imported, traced, explained and verified', { timeout: 60_000 }, async () => {
    const printed = await bash(commands);
    expect(printed).toContain('scans.csv: 2 rows read');
    expect(printed).toMatch(/committed +1\n +suppressed +1\n +conflict +0\n +rejected +0\n/);
    expect(printed).toMatch(/suppressed.*pull-2.*same content, by ledger.*possible_under_count/);
    expect(printed).toContain('occurred 700 ms after it');
    expect(printed).toContain('Everything holds.');
  });

  it('shows a program that uses the library as it stands', { timeout: 30_000 }, async () => {
    const [program = ''] = fencesOf(readme, 'js');
    writeFileSync(join(folder, 'program.js'), program);
    const { stdout } = await run('node', ['program.js'], { cwd: folder, env: settings });
    expect(stdout).toBe('committed\n');
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(10);
  });
});

describe('docs/architecture.md', () => {
  it('shows how a hash is recomputed without ScanGate', { timeout: 30_000 }, async () => {
    const recompute = fencesOf(pageAt('docs/architecture.md'), 'sh')[0] ?? '';
    const [digest = '', stored] = (await bash(recompute)).trim().split('\n');
    expect(digest).toMatch(/^[0-9a-f]{64} /);
    expect(digest.slice(0, 64)).toBe(stored);
  });
});
