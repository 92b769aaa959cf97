/**
 * A worker with a ledger of its own: a folder, in which each dispense is one file.
 *
 *     node examples/worker.js redis://127.0.0.1:6379 /var/lib/dispenses < scans.ndjson
 *
 * In: scans as lines of JSON. Out: one answer a line. The file is named by the pick and put there by `link`, which fails
 * where it is there already: so the folder refuses a second entry by itself, also from a worker that was paused for longer than its
 * lease. The claim is what keeps the others from trying. Exit code 75 asks for the same lines again.
 */
import { link, mkdir, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { createGuard, parseScan } from 'scangate';
import { RedisClaimStore } from 'scangate/redis';

const [redisUrl = 'redis://127.0.0.1:6379', folder = 'dispenses', leaseMs = '10000'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });

/** A client of the worker's own, told never to send a command again by itself, and never to keep one for later. */
const redis = new Redis(redisUrl, {
  enableAutoPipelining: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
});
redis.on('error', () => {});
await new Promise((resolve) => redis.once('ready', resolve));
const claims = new RedisClaimStore({
  send: (_key, [name, ...args]) => redis.call(name, args),
  renew: () => redis.disconnect(true),
  close: async () => redis.disconnect(),
});
const guard = createGuard({ claims, leaseMs: Number(leaseMs) });

const pathOf = (pick) => join(folder, `${pick.replaceAll(':', '-')}.json`);

/** Written and synced under another name first, so that an entry is whole or not there. */
async function commit({ scan, pick, occurredAt, fence, leaseEndsAt }) {
  const draft = `${pathOf(pick)}.${process.pid}.draft`;
  await writeFile(
    draft,
    JSON.stringify({ pick, occurredAt, fence, product: scan.product, quantity: scan.quantity, lot: scan.lotNumber }),
    {
      flush: true,
    },
  );
  try {
    if (Date.now() >= leaseEndsAt) return { kind: 'not_written', reason: 'The disk was slower than the lease.' };
    await link(draft, pathOf(pick));
    await synced(folder);
    return { kind: 'committed', reference: pick };
  } catch (error) {
    if (error.code === 'EEXIST') return { kind: 'duplicate', ...(await lookup(pick)) };
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function synced(path) {
  const directory = await open(path);
  await directory.sync();
  await directory.close();
}

async function lookup(pick) {
  try {
    const { occurredAt } = JSON.parse(await readFile(pathOf(pick), 'utf8'));
    return { reference: pick, occurredAt };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What is not JSON is refused as what it is: text. */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const parsed = parseScan(jsonOf(line), { receivedAt: Date.now() });
  const answer = parsed.ok ? await guard(parsed.value, commit, { lookup }) : { outcome: 'rejected', ...parsed.error.rejection };
  if (answer.outcome === 'unavailable') process.exitCode = 75;
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await claims.close();
