/** What happens at an instant of a run: to a worker, to Redis, to the database. */
import { assertNever } from '../../base/assert-never.ts';
import type { Faults, Mishap } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import type { SimulatedRedis } from './simulated-redis.ts';
import type { SimulatedSystem } from './simulated-system.ts';
import type { Workers } from './workers.ts';

export interface Targets {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly redis: SimulatedRedis;
  readonly workers: Workers;
  readonly system: SimulatedSystem;
}

const refusals = [
  'LOADING Redis is loading the dataset in memory',
  "READONLY You can't write against a read only replica.",
  "OOM command not allowed when used memory > 'maxmemory'.",
  'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
] as const;

export function planMishaps(targets: Targets): void {
  for (const mishap of targets.faults.mishaps) targets.scheduler.at(mishap.at, () => happen(mishap, targets));
}

function happen({ fault, random }: Mishap, { faults, redis, workers, system }: Targets): void {
  const { names } = workers;
  const worker = names[random.below(names.length)] ?? '';
  switch (fault) {
    case 'crash':
      faults.note(fault, worker);
      workers.crash(worker);
      return;
    case 'pause': {
      const ms = random.pick([100, 1_000, 4_000, 12_000, 20_000]);
      faults.note(fault, worker, ms);
      workers.pause(worker, ms);
      return;
    }
    case 'worker clock jump':
      faults.note(fault, worker);
      workers.clockOf(worker)?.jump(random.pick([-20_000, -3_000, -10, 10, 3_000, 20_000]));
      return;
    case 'redis flush':
      faults.note(fault, 'redis');
      redis.primary.flush();
      return;
    case 'redis eviction':
      faults.note(fault, 'redis');
      redis.primary.evict((key) => faults.of(`eviction of ${key}`).perMille(500));
      return;
    case 'redis failover':
      faults.note(fault, 'redis');
      redis.failOver(random.pick([0, 5, 100, 1_500]), random.pick([0, 200, 3_000]));
      return;
    case 'redis restart':
      faults.note(fault, 'redis');
      redis.restart(random.perMille(300), random.between(1, 2_000));
      return;
    case 'redis refuses':
      faults.note(fault, 'redis');
      redis.refuse(random.pick(refusals), random.between(100, 4_000));
      return;
    case 'redis pause':
      faults.note(fault, 'redis');
      redis.turnstile.pause(random.between(50, 2_000));
      return;
    case 'redis clock jump':
      faults.note(fault, 'redis');
      redis.clock.jump(random.pick([-5_000, -100, 100, 5_000, 60_000]));
      return;
    case 'database pause': {
      const ms = random.between(100, 3_000);
      faults.note(fault, 'database', ms);
      databaseOf(system).turnstile.pause(ms);
      return;
    }
    case 'database crash':
      faults.note(fault, 'database');
      databaseOf(system).crash(random.between(10, 3_000));
      return;
    case 'database failover':
      faults.note(fault, 'database');
      databaseOf(system).failOver(random.between(10, 3_000));
      return;
    default:
      assertNever(fault);
  }
}

function databaseOf({ database }: SimulatedSystem): SimulatedDatabase {
  if (database === undefined) throw new TypeError('The ledger of this system is no database of ours.');
  return database;
}
