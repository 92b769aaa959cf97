import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getJson, post } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { scangate, startServer, temporaryFolder } from '../support/server.ts';

function configFile(settings: unknown): string {
  const path = join(temporaryFolder(), 'scangate.json');
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

interface Nonsense {
  readonly what: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: unknown;
  /** What the sentence says, `FILE` being the path of the file. */
  readonly sentence: string;
}

const nonsense: readonly Nonsense[] = [
  { what: 'a window of 0', args: ['--window-ms', '0'], sentence: 'window_ms must be >= 1' },
  { what: 'a negative window', args: ['--window-ms=-1'], sentence: 'window_ms must be >= 1' },
  { what: 'a window of NaN', args: ['--window-ms', 'NaN'], sentence: '--window-ms is "NaN", which is not a whole number' },
  { what: 'an empty window', args: ['--window-ms', ''], sentence: '--window-ms is empty' },
  { what: 'a fraction', args: ['--window-ms', '1.5'], sentence: '--window-ms is "1.5", which is not a whole number' },
  { what: 'a variable that is no setting', env: { SCANGATE_WINDOW: '3000' }, sentence: 'SCANGATE_WINDOW is not a setting' },
  { what: 'a key of the file that is no setting', file: { windowMs: 3000 }, sentence: 'windowMs in FILE is not a setting' },
  {
    what: 'a class with a window of 0',
    file: { scanner_classes: { slow: { scanners: ['BT-*'], window_ms: 0 } } },
    sentence: 'scanner_classes.slow.window_ms must be >= 1',
  },
  {
    what: 'a class with a setting that is none',
    file: { scanner_classes: { slow: { scanners: ['BT-*'], window: 1000 } } },
    sentence: 'scanner_classes.slow.window is not a setting',
  },
];

test.each(nonsense)(
  '$what refuses to start with one sentence, and makes nothing',
  async ({ args = [], env = {}, file, sentence }) => {
    const data = join(temporaryFolder(), 'data');
    const path = file === undefined ? undefined : configFile(file);
    const given = [...args, ...(path === undefined ? [] : ['--config', path])];
    const { code, stdout, stderr } = await scangate(['serve', '--port', '0', '--data', data, ...given], env);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `scangate: Settings: ${sentence.replace('FILE', path ?? '')}. (SG_CONFIG_INVALID)\n`,
    });
    expect(existsSync(data)).toBe(false);
  },
);

test('a configuration file that is not there refuses to start with its path', async () => {
  const { code, stderr } = await scangate(['serve', '--config', '/nowhere/scangate.json']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^scangate: Settings: the configuration file \/nowhere\/scangate\.json cannot be read \(.+\)\. \(SG_CONFIG_INVALID\)\n$/,
  );
});

test('flags win over the environment, the environment over the file, and classes have windows of their own', async () => {
  const scanner_classes = {
    short: { scanners: ['BT-*'], window_ms: 1_000 },
    trusting: { scanners: ['UNI-1'], distinct_ids: 'trust' },
  };
  const config = configFile({ scanner_classes, window_ms: 1_500, guard_ms: 100, host: '127.0.0.2' });
  const server = await startServer({
    args: ['--config', config, '--host', '127.0.0.1'],
    env: { SCANGATE_WINDOW_MS: '2000', SCANGATE_HOST: '127.0.0.3' },
  });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);

  const outcomes = async (scanner_id: string, laterMs: number): Promise<[string, unknown]> => {
    await post(server, dispense('classes', { scanner_id, scan_uuid: `${scanner_id}-1` }));
    const again = dispense('classes', { scanner_id, scan_uuid: `${scanner_id}-2`, captured_at: recently + laterMs });
    const { answer } = await post(server, again);
    return [answer.outcome, answer['window_ms']];
  };
  expect(await outcomes('BT-1', 999)).toEqual(['suppressed', 1_000]);
  expect(await outcomes('BT-2', 1_000)).toEqual(['committed', undefined]);
  expect(await outcomes('SCN-1', 1_999)).toEqual(['suppressed', 2_000]);
  expect(await outcomes('SCN-2', 2_000)).toEqual(['committed', undefined]);
  expect(await outcomes('UNI-1', 0)).toEqual(['committed', undefined]);

  const { items } = await getJson<{ items: { window_ms: number; scanner_class: string }[] }>(server, '/v1/journal');
  expect(items.map(({ scanner_class, window_ms }) => [scanner_class, window_ms])).toEqual([
    ['short', 1_000],
    ['short', 1_000],
    ['short', 1_000],
    ['short', 1_000],
    ['default', 2_000],
    ['default', 2_000],
    ['default', 2_000],
    ['default', 2_000],
    ['trusting', 2_000],
    ['trusting', 2_000],
  ]);
  const { stdout } = await server.stop();
  expect(stdout).toContain('"ttl_ms":2100');
});

test('an address that is taken refuses to start with one sentence that names it, and leaves its data free', async () => {
  const first = await startServer();
  const data = join(temporaryFolder(), 'data');
  const second = await scangate(['serve', '--port', String(first.port), '--data', data]);
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toMatch(
    /^scangate: The address 127\.0\.0\.1:\d+ cannot be listened on: listen EADDRINUSE: [^\n]+\. Give another --host or --port\. \(SG_ADDRESS\)\n$/,
  );
  expect((await post(await startServer({ data }), dispense('taken'))).status).toBe(201);
  expect((await post(first, dispense('taken'))).status).toBe(201);
});

test('an unknown command and an unknown flag are refused with exit code 1', async () => {
  const [command, flag] = await Promise.all([scangate(['sevre']), scangate(['serve', '--windows-ms', '1'])]);
  expect([command.code, flag.code]).toEqual([1, 1]);
  expect(command.stderr).toContain("error: unknown command 'sevre'");
  expect(flag.stderr).toContain("error: unknown option '--windows-ms'");
});
