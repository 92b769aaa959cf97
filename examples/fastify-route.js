/**
 * A route of somebody's own Fastify server, which writes to a table of their own in SQLite.
 *
 *     node examples/fastify-route.js redis://127.0.0.1:6379 dispenses.db 8081
 *     curl -s localhost:8081/dispenses -H 'content-type: application/json' -d '{"facility_uuid":"…", …}'
 *
 * 201 for the transmission that was committed, 200 for every other one of the same scan, 422 for what is no scan, and 503 with
 * `Retry-After` for what cannot be known yet. The server has a client of Redis of its own, here `node-redis`.
 */
import Database from 'better-sqlite3';
import fastify from 'fastify';
import { createClient } from 'redis';
import { createGuard, parseScan } from 'scangate';
import { RedisClaimStore } from 'scangate/redis';

const [redisUrl = 'redis://127.0.0.1:6379', file = 'dispenses.db', port = '8081'] = process.argv.slice(2);

const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(
  'CREATE TABLE IF NOT EXISTS dispenses (id INTEGER PRIMARY KEY, pick TEXT NOT NULL UNIQUE, occurred_at INTEGER, fence INTEGER, scan TEXT)',
);
const insert = database.prepare(
  'INSERT INTO dispenses (pick, occurred_at, fence, scan) VALUES (?, ?, ?, ?) ON CONFLICT (pick) DO NOTHING',
);
const select = database.prepare('SELECT CAST(id AS TEXT) AS reference, occurred_at AS occurredAt FROM dispenses WHERE pick = ?');

/** A new connection takes the place of one that was thrown away, so that no late reply can be taken for another. */
async function nodeRedis(url) {
  const connected = async () => {
    const client = createClient({ url, disableOfflineQueue: true });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  let client = await connected();
  const end = () => client.isOpen && client.destroy();
  return {
    send: (_key, command) => client.sendCommand(command),
    renew: () => {
      end();
      // Where none can be had, the claim fails, and a new one is asked for again.
      connected().then(
        (next) => {
          client = next;
        },
        () => undefined,
      );
    },
    close: async () => end(),
  };
}

const guard = createGuard({ claims: new RedisClaimStore(await nodeRedis(redisUrl)), leaseMs: 10_000 });

async function commit({ scan, pick, occurredAt, fence }) {
  const { changes, lastInsertRowid } = insert.run(pick, occurredAt, fence, JSON.stringify(scan));
  if (changes === 1) return { kind: 'committed', reference: String(lastInsertRowid) };
  return { kind: 'duplicate', ...select.get(pick) };
}

async function lookup(pick) {
  return select.get(pick);
}

const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });

app.post('/dispenses', async (request, reply) => {
  const parsed = parseScan(request.body, { receivedAt: Date.now() });
  if (!parsed.ok) return reply.code(422).send({ outcome: 'rejected', ...parsed.error.rejection });
  const answer = await guard(parsed.value, commit, { lookup });
  if (answer.outcome === 'committed') return reply.code(201).send(answer);
  if (answer.outcome === 'suppressed') return reply.code(200).send(answer);
  const { cause, ...told } = answer;
  if (cause !== undefined) request.log.error(cause);
  return reply
    .code(503)
    .header('retry-after', Math.ceil((answer.retryAfterMs ?? 1_000) / 1_000))
    .send(told);
});

process.stdout.write(`listening on ${await app.listen({ port: Number(port), host: '127.0.0.1' })}\n`);
