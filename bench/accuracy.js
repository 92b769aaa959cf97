// How exact a system counts: ours, the literal recipe, and what a user would take instead, on the same traffic and under the same faults.
// Per system: lines too many, scans lost, scans swallowed, per million physical scans. PostgreSQL, Redis and Debian's packages as for the tests.
//
//     npm run bench:accuracy -- --seed 1 --scans 6000
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { quietMix, scanGateSystem, torture } from 'scangate/testing';
import { peerSystem } from './peers/peer-system.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    scans: { type: 'string', default: '6000' },
    'scans-per-second': { type: 'string', default: '80' },
    mix: { type: 'string', default: 'all' },
    'faults-per-minute': { type: 'string', default: '40' },
    systems: { type: 'string', default: 'scangate,recipe,powertools,node-idempotency,postgres-key' },
  },
});
const [seed, scans] = [Number(values.seed), Number(values.scans)];

/** `retries`: nothing but missed acknowledgements, 4 % of them, and contents dispensed again. `all`: everything that devices do. */
const mixes = { all: {}, retries: { ...quietMix, missedAcks: 40, redispenses: 60, serials: 300, timesOnly: 250 } };

if (mixes[values.mix] === undefined)
  throw new Error(`There is no mix ${values.mix}: take one of ${Object.keys(mixes).join(', ')}.`);
const systems = values.systems.split(',').map((name) => [name, name === 'scangate' ? scanGateSystem() : peerSystem(name)]);

const folder = mkdtempSync(join(tmpdir(), 'scangate-accuracy-'));
const table = new Table({
  head: ['system', 'lines too many', 'lost', 'false acknowledgements', 'swallowed', 'of these put up for review', 'faults'],
  style: { head: [] },
});
for (const [name, system] of systems) {
  const report = await torture({
    seed,
    scans,
    system,
    scansPerS: Number(values['scans-per-second']),
    faultsPerMinute: Number(values['faults-per-minute']),
    mix: mixes[values.mix],
    command: `npm run bench:accuracy -- --seed ${seed} --scans ${scans} --mix ${values.mix} --systems ${name}`,
    history: join(folder, `${name}.jsonl`),
    print: () => undefined,
  });
  table.push(rowOf(name, report));
  console.log(`${name}: ${Math.round(report.tookMs / 1_000)} s, ${report.problems.length} problems of its servers`);
  for (const problem of report.problems) console.log(`  ${problem}`);
}
console.log(
  `Per million physical scans; seed ${seed}, ${scans} scans a system, mix '${values.mix}', ${values['faults-per-minute']} faults a minute.`,
);
console.log(table.toString());
rmSync(folder, { recursive: true });
// Node waits for ever for a connection that was reset at the wrong moment.
setImmediate(() => process.exit());

function rowOf(name, { judgement, faults }) {
  const { found, swallowed, counts } = judgement;
  const perMillion = (count) => Math.round((count * 1e6) / counts.scans);
  return [
    name,
    perMillion(found.phantom_overage),
    perMillion(judgement.lost),
    perMillion(judgement.falseAcknowledgements),
    perMillion(swallowed.withinWindow + swallowed.deviceClock + swallowed.receiptTime + swallowed.unexplained),
    perMillion(swallowed.putUpForReview),
    [...faults.values()].reduce((sum, count) => sum + count, 0),
  ];
}
