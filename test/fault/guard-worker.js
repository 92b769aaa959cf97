// A worker that says "claimed" inside its commit, writes its row when it is told to (SIGUSR2), and says what it was answered.
import { appendFileSync, readFileSync } from 'node:fs';
import { createGuard, parseScan } from 'scangate';
import { openRedisClaimStore } from 'scangate/redis';

const [redisUrl, leaseMs, ledger, constraint, wire] = process.argv.slice(2);
const claims = await openRedisClaimStore(redisUrl, { deadlineMs: 5_000 });
const guard = createGuard({ claims, leaseMs: Number(leaseMs), clockSkewMs: 0 });
const parsed = parseScan(JSON.parse(wire), { receivedAt: Date.now() });
const told = new Promise((resolve) => {
  process.once('SIGUSR2', resolve);
});
// A promise alone does not keep a process alive.
const awake = setInterval(() => {}, 1_000);

const answer = await guard(parsed.value, async ({ pick, fence, occurredAt }) => {
  process.stdout.write('claimed\n');
  await told;
  const rows = readFileSync(ledger, 'utf8').split('\n').slice(0, -1).map(JSON.parse);
  if (constraint === 'unique' && rows.some((row) => row.pick === pick)) return { kind: 'duplicate', reference: pick, occurredAt };
  if (constraint === 'fence' && rows.some((row) => row.pick === pick && row.fence > fence)) {
    return { kind: 'not_written', reason: 'A later lease has been here.' };
  }
  appendFileSync(ledger, `${JSON.stringify({ pick, fence, occurredAt })}\n`);
  process.stdout.write('written\n');
  if (constraint === 'none, and hangs') await new Promise(() => {});
  return { kind: 'committed', reference: pick };
});
process.stdout.write(`${JSON.stringify(answer)}\n`);
clearInterval(awake);
await claims.close();
