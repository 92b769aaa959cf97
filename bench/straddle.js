// How often a retry is counted twice because it falls into the next window of the clock: the literal recipe beside ours, by the delay of the
// retry, on simulated time and without any fault. Each scan is sent exactly twice.
//
//     npm run bench:straddle -- 20 50
import Table from 'cli-table3';
import { faultKinds, quietMix, simulate } from 'scangate/testing';

const [seeds = 200, scans = 50] = process.argv.slice(2).map(Number);
if (!(seeds >= 1 && scans >= 1)) throw new Error('Give how many seeds, and how many scans for each.');
const without = new Set(faultKinds);
const delaysMs = [100, 300, 500, 700, 900, 1_100, 1_300, 1_500, 1_700, 1_900, 2_100, 2_300, 2_500, 2_700, 2_900];

/** Lines too many, per hundred scans that were sent twice. */
async function counted(system, retryMs) {
  let [twice, all] = [0, 0];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const mix = { ...quietMix, timesOnly: 1_000, serials: 1_000, retryMs };
    const { judgement } = await simulate({ seed, system, scans, without, mix });
    twice += judgement.phantom;
    all += judgement.counts.scans;
  }
  return ((100 * twice) / all).toFixed(2);
}

const table = new Table({ head: ['retried after, ms', 'd/3000, %', 'recipe, %', 'scangate, %'], style: { head: [] } });
for (const ms of delaysMs) {
  table.push([ms, (ms / 30).toFixed(2), await counted('recipe', ms), await counted('gate', ms)]);
}
console.log(`${seeds} seeds of ${scans} scans for each number.`);
console.log(table.toString());
