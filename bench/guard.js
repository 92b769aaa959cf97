// How many scans a second a guard commits, and suppresses, over a store of claims; the ledger is a number in memory.
//
//     npm run -s build && node bench/guard.js redis://127.0.0.1:6379
//     npm run -s build && node bench/guard.js http://127.0.0.1:2379,http://127.0.0.1:2381 500
import { ClaimOnce, createGuard, parseScan } from 'scangate';
import { EtcdClaimStore } from 'scangate/etcd';
import { openRedisClaimStore } from 'scangate/redis';

const [url = 'redis://127.0.0.1:6379', scans = '20000', together = '200'] = process.argv.slice(2);
const claims = url.startsWith('redis')
  ? await openRedisClaimStore(url, { deadlineMs: 5_000 })
  : new EtcdClaimStore(url.split(','), { deadlineMs: 5_000 });
const guard = createGuard({ claims, leaseMs: 10_000 });
const once = new ClaimOnce({ claims });
const receivedAt = Date.now();
const run = process.pid;

function scansOf(scanner) {
  return Array.from({ length: Number(scans) }, (_, index) => {
    const wire = {
      facility_uuid: `bench-${run}`,
      scanner_id: scanner,
      scan_type: 'dispense',
      ndc: '00093721410',
      lot_number: `L${index}`,
    };
    const parsed = parseScan({ ...wire, captured_at: receivedAt }, { receivedAt });
    if (!parsed.ok) throw new TypeError(parsed.error.rejection.message);
    return parsed.value;
  });
}

/** So many at once, until all are through; and what was answered, counted. */
async function measured(what, all, decide) {
  const counts = {};
  let next = 0;
  const lane = async () => {
    while (next < all.length) {
      const scan = all[next++];
      const answer = await decide(scan);
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Number(together) }, lane));
  const perSecond = Math.round((all.length / (performance.now() - startedAt)) * 1_000);
  console.log(`${what}: ${perSecond} a second, ${JSON.stringify(counts)}`);
}

let rows = 0;
const commit = async () => {
  rows += 1;
  return { kind: 'committed', reference: String(rows) };
};
const guarded = scansOf('SCN-01');
await measured('guard, first', guarded, async (scan) => (await guard(scan, commit)).outcome);
await measured('guard, again', guarded, async (scan) => (await guard(scan, commit)).outcome);
const claimed = scansOf('SCN-02');
await measured('ClaimOnce, first', claimed, async (scan) => String(await once.claim(scan)));
await measured('ClaimOnce, again', claimed, async (scan) => String(await once.claim(scan)));
await claims.close();
