import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getJson, ledgerLines } from '../support/http-client.ts';
import { listeningUrl, scangate, start, startServer, temporaryFolder, until } from '../support/server.ts';

/** Runs a line in bash, as a person who has copied it, and gives the status that curl shows. */
async function runLine(line: string): Promise<{ status: string | undefined; answer: Record<string, unknown> }> {
  const { code, stdout, stderr } = await start('bash', ['-c', line]).ended;
  expect([code, stderr]).toEqual([0, '']);
  const [head = '', body = ''] = stdout.split('\r\n\r\n');
  return { status: /^HTTP\/1\.1 (\d{3} \w+)/.exec(head)?.[1], answer: JSON.parse(body) as Record<string, unknown> };
}

test('npm start shows a line that posts a scan: 201, then 200, also after its process was killed and another was started', async () => {
  const data = join(temporaryFolder(), 'data');
  const npm = start('npm', ['start', '--', '--port', '0', '--data', data]);
  const url = await listeningUrl(npm);
  const curl = await until(() => npm.stderr.split('\n').find((line) => line.startsWith('curl ')));
  expect(npm.stderr).toContain(`ScanGate takes scans at ${url}; its data is in ${data}\n`);
  expect(curl).toContain(`${url}/v1/scans`);

  const first = await runLine(curl);
  expect(first).toMatchObject({ status: '201 Created', answer: { outcome: 'committed', entry: { line: 1 } } });
  const again = await runLine(curl);
  expect(again).toMatchObject({ status: '200 OK', answer: { outcome: 'suppressed', of: first.answer['entry'] } });

  npm.kill('SIGKILL');
  // The server is a child of npm that nobody has told to end. It writes to the same pipe, so this waits for it as well.
  const { signal } = await npm.ended;
  expect(signal).toBe('SIGKILL');
  const restarted = await startServer({ data, args: ['--port', new URL(url).port] });
  expect(restarted.url).toBe(url);
  const afterwards = await runLine(curl);
  expect(afterwards).toMatchObject({ status: '200 OK', answer: { outcome: 'suppressed', of: first.answer['entry'] } });

  restarted.kill('SIGKILL');
  await restarted.ended;
  const third = await startServer({ data, args: ['--port', new URL(url).port] });
  expect(await runLine(curl)).toMatchObject({ status: '200 OK', answer: { of: first.answer['entry'] } });
  expect(await ledgerLines(third)).toHaveLength(1);
  expect(await getJson(third, '/v1/health')).toMatchObject({ ready: true });
  expect((await third.stop()).code).toBe(0);
  expect(await scangate(['verify', '--data', data])).toMatchObject({ code: 0, stderr: '' });
});
