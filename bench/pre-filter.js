// What the pre-filter brings: scans a second and latency with it and without it, in turns, against a redis-server of its own. Needs
// the build and redis-server.
//
//   npm run bench:pre-filter              a SQLite file in a temporary folder: an fsync for each batch
//   npm run bench:pre-filter -- memory    a ledger in memory that answers after 3 ms, whatever the disk does
//
// The load: 1 or 64 scanners, each of which sends its next scan when the former is answered. So many in a hundred transmissions repeat the
// scan before, at once, from the same scanner. `Another worker`: repeats go to a second gate over the same ledger and claims, which
// has not seen the scan. `1 ms away`: replies of Redis are held for a millisecond or a little more, as across a network.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultScannerClass, Gate, MemoryLedger, PreFilter, systemClock } from 'scangate';
import { openRedisClaimStore } from 'scangate/redis';
import { SqliteLedger } from 'scangate/sqlite';
import { wireScan } from 'scangate/testing';

const transmissionsOfRound = { 1: 40, 64: 1_280 };
const rounds = 11;

const settings = [
  ...[1, 64].flatMap((scanners) =>
    [5, 50].flatMap((repeats) => [0, 1].map((awayMs) => ({ scanners, repeats, awayMs, anotherWorker: false }))),
  ),
  { scanners: 64, repeats: 50, awayMs: 1, anotherWorker: true },
];

/** A ledger that keeps nothing, and takes as long as one whose disk is quiet. */
class UnhurriedLedger extends MemoryLedger {
  async append(...args) {
    const decisions = await super.append(...args);
    await sleep(3);
    return decisions;
  }
}

async function startRedis(folder) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  const arguments_ = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const text of server.stdout.setEncoding('utf8')) if (text.includes('Ready to accept')) break;
  server.stdout.resume();
  return { server, url: `redis://127.0.0.1:${port}` };
}

/** The same claims, whose replies take longer. */
function away(claims, ms) {
  if (ms === 0) return claims;
  return {
    keyedBy: claims.keyedBy,
    async claim(request) {
      const reply = await claims.claim(request);
      await sleep(ms);
      return reply;
    },
    settle: (...args) => claims.settle(...args),
    moveOn: (...args) => claims.moveOn(...args),
  };
}

function gateOver(ledger, claims, filtered, answers) {
  const preFilter = filtered ? new PreFilter({ scansPerS: 10_000, rememberMs: 3_500 }, systemClock) : undefined;
  const observer = {
    preFiltered(answer) {
      answers[answer] += 1;
    },
  };
  return new Gate({ ledger, claims, policy: () => defaultScannerClass, observer, ...(preFilter && { preFilter }) });
}

/** One scanner: how long it waited for each answer, ms. */
async function scan(gates, { scanners, repeats, anotherWorker }, run, scanner) {
  const took = [];
  let value;
  for (let count = 0; count < transmissionsOfRound[scanners] / scanners; count += 1) {
    // Spread evenly, and differently for each scanner: never the first, and always after a scan that it can repeat.
    const repeated = count > 0 && (count * 37 + scanner * 13) % 100 < repeats;
    const receivedAt = Date.now();
    if (!repeated) {
      value = wireScan(0, { scanner_id: `SCN-${scanner}`, lot_number: `${run}.${count}`, captured_at: receivedAt });
    }
    const gate = gates[repeated && anotherWorker ? 1 : 0];
    const startedAt = performance.now();
    const sent = value;
    const raw = () => ({ bytes: Buffer.from(JSON.stringify(sent)) });
    const { decision } = await gate.submit({ value: sent, receivedAt, transport: 'library', raw });
    took.push(performance.now() - startedAt);
    if (decision.outcome !== (repeated ? 'suppressed' : 'committed')) throw new Error(`${decision.outcome} ${decision.message}`);
  }
  return took;
}

async function measure(ledger, claims, setting, filtered, run) {
  const answers = { new: 0, seen: 0 };
  const gates = [0, 1].map(() => gateOver(ledger, away(claims, setting.awayMs), filtered, answers));
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  const all = await Promise.all(Array.from({ length: setting.scanners }, (_, index) => scan(gates, setting, run, index)));
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(gates.map((gate) => gate.drain()));
  const { user, system } = process.cpuUsage(usedBefore);
  const took = all.flat().sort((a, b) => a - b);
  const at = (share) => took[Math.floor(took.length * share)];
  const said = answers.new / (answers.new + answers.seen);
  return { perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99), processorUs: (user + system) / took.length, said };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

function inWords({ scanners, repeats, awayMs, anotherWorker }) {
  const where = `Redis ${awayMs === 0 ? 'here' : '1 ms away'}, repeats at ${anotherWorker ? 'another worker' : 'the same worker'}`;
  return `${scanners} scanners, ${repeats} % repeats, ${where}`;
}

async function compare(ledger, claims, setting) {
  const results = { without: [], with: [] };
  for (let round = 0; round <= rounds; round += 1) {
    // Which of the two goes first changes with each round; the first round only warms up.
    for (const name of round % 2 === 0 ? ['without', 'with'] : ['with', 'without']) {
      const run = `${process.pid}.${process.hrtime.bigint()}`;
      const result = await measure(ledger, claims, setting, name === 'with', run);
      if (round > 0) results[name].push(result);
    }
  }
  console.log(inWords(setting));
  for (const name of ['without', 'with']) {
    const [rate, p50, p99, us] = ['perSecond', 'p50', 'p99', 'processorUs'].map((key) =>
      median(results[name].map((one) => one[key])),
    );
    const latency = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    console.log(`  ${name.padEnd(8)} ${Math.round(rate)} scans/s, ${latency}, ${Math.round(us)} us of processor a scan`);
  }
  // Of each round by itself, because the machine is not the same from round to round.
  const ratio = (key) => median(results.with.map((one, round) => one[key] / results.without[round][key])).toFixed(2);
  const ratios = `scans/s ${ratio('perSecond')}, p50 ${ratio('p50')}, p99 ${ratio('p99')}, processor ${ratio('processorUs')}`;
  console.log(`  ratio    ${ratios}; ${Math.round(100 * results.with[0].said)} % said to be new`);
}

const folder = await mkdtemp(join(tmpdir(), 'scangate-bench-'));
const { server, url } = await startRedis(folder);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.kill();
    rmSync(folder, { recursive: true });
    process.exit(1);
  });
}
try {
  const claims = await openRedisClaimStore(url);
  const inMemory = process.argv[2] === 'memory';
  const ledger = inMemory ? new UnhurriedLedger() : await SqliteLedger.open(join(folder, 'ledger.sqlite'));
  console.log(`${inMemory ? 'memory' : 'sqlite'}, medians of ${rounds} rounds of each`);
  for (const setting of settings) await compare(ledger, claims, setting);
  await claims.close();
  await ledger.close();
} finally {
  server.kill();
  await once(server, 'exit');
  await rm(folder, { recursive: true });
}
