import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Answered, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { ClientSocket, postText } from '../support/http-client-socket.ts';
import { type ServerProcess, scangate, startServer, until } from '../support/server.ts';
import { read } from '../support/server-ledger.ts';
import { seeded } from '../support/server-seed.ts';

/** Posts new scans, one after the other, until the server takes no more connections. */
async function postUntilGone(server: ServerProcess, client: string, answers: Map<string, Answered>): Promise<void> {
  for (let count = 0; ; count += 1) {
    const serial = `${client}-${count}`;
    const answered = await post(server, dispense('stopping', { serial_number: serial })).catch((error: Error) => error);
    if (answered instanceof Error) return;
    answers.set(serial, answered);
  }
}

test('SIGTERM under load: what was decided is answered, what is not decided is told to come back, and the exit code is 0', async () => {
  const random = seeded();
  let server = await startServer();
  for (let round = 0; round < 6; round += 1) {
    const answers = new Map<string, Answered>();
    const clients = Array.from({ length: 20 }, (_, client) => postUntilGone(server, `${round}-${client}`, answers));
    await until(() => (answers.size > 50 + random.below(200) ? true : undefined), 30_000);
    await after(random.below(20));
    const { code, stderr } = await server.stop();
    await Promise.all(clients);
    expect(code).toBe(0);
    expect(stderr).toContain('SIGTERM: finishing what was taken.');

    const acknowledged = [...answers].filter(([, { status }]) => status === 201).map(([serial]) => serial);
    const turnedAway = [...answers.values()].filter(({ status }) => status !== 201);
    for (const { status, headers, answer } of turnedAway) {
      expect([status, headers['retry-after'], headers['content-type']]).toEqual([
        503,
        '1',
        'application/problem+json; charset=utf-8',
      ]);
      expect(answer).toMatchObject({ outcome: 'unavailable', code: 'SG_SHUTTING_DOWN' });
    }
    const lines = read(server.data, "SELECT serial_number FROM ledger_lines WHERE serial_number LIKE ? || '-%'", String(round));
    expect(lines.toSorted()).toEqual(acknowledged.toSorted());
    server = await startServer({ data: server.data });
  }
  expect((await server.stop()).code).toBe(0);
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

test('a stop does not wait for clients that have said nothing, said half, or do not listen', async () => {
  const server = await startServer();
  const silent = new ClientSocket(server);
  const half = new ClientSocket(server);
  half.write('POST /v1/scans HTTP/1.1\r\nHost: scan');
  const halfBody = new ClientSocket(server);
  halfBody.write(postText('{"facility_uuid":', { length: 500 }));
  const deaf = new ClientSocket(server);
  deaf.pause();
  const line = (index: number): string => `${JSON.stringify(dispense('deaf', { serial_number: `S${index}` }))}\n`;
  const body = Array.from({ length: 20_000 }, (_, index) => line(index)).join('');
  deaf.write(postText(body, { type: 'application/x-ndjson' }));
  expect((await post(server, dispense('before'))).status).toBe(201);

  const begunAt = performance.now();
  const { code } = await server.stop();
  expect(code).toBe(0);
  expect(performance.now() - begunAt).toBeLessThan(15_000);
  for (const socket of [silent, half, halfBody, deaf]) socket.destroy();
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

test('a server that is told to stop twice, or by SIGINT, ends once and cleanly', async () => {
  const server = await startServer();
  await post(server, dispense('int'));
  server.kill('SIGINT');
  expect(await server.ended).toMatchObject({ code: 0 });
  const again = await startServer({ data: server.data });
  expect((await post(again, dispense('int'))).status).toBe(200);
  expect((await again.stop()).code).toBe(0);
});
