/** What happens to workers. */

import type { Random } from '../workload/random.ts';
import type { FaultKind } from './fault.ts';
import type { Ground } from './ground.ts';
import type { WorkerSlot } from './worker-slot.ts';

/** Less than what a clock may be ahead and still be believed, less what those of devices are ahead: 120 − 60 s. */
const clockOffsetMsMax = 45_000;

export const workerFaults: readonly FaultKind[] = [
  {
    name: 'worker killed',
    place: 'worker',
    lastsMs: [0, 2_000],
    async inject({ workers }, random) {
      const worker = random.pick(workers);
      await worker.end('SIGKILL');
      return { target: worker.name, heal: () => worker.start() };
    },
  },
  {
    name: 'all workers killed',
    place: 'worker',
    lastsMs: [0, 1_000],
    async inject({ workers }) {
      await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
      return { target: 'all workers', heal: () => Promise.all(workers.map((worker) => worker.start())) };
    },
  },
  {
    name: 'worker stopped and continued',
    place: 'worker',
    lastsMs: [200, 6_000],
    async inject(ground, random) {
      const worker = running(ground, random);
      worker.signal('SIGSTOP');
      return { target: worker.name, heal: () => worker.signal('SIGCONT') };
    },
  },
  {
    name: 'worker restarted in order',
    place: 'worker',
    lastsMs: [0, 500],
    async inject({ workers }, random) {
      const worker = random.pick(workers);
      await worker.end('SIGTERM');
      return { target: worker.name, heal: () => worker.start() };
    },
  },
  {
    name: 'clock of a worker set',
    place: 'worker',
    lastsMs: [3_000, 10_000],
    async inject(ground, random) {
      const worker = running(ground, random);
      const offsetMs = random.pick([
        random.between(-clockOffsetMsMax, clockOffsetMsMax),
        random.between(-4_000, 4_000),
        random.between(-200, 200),
      ]);
      worker.setClock(offsetMs);
      return { target: `${worker.name} by ${offsetMs} ms`, heal: () => worker.setClock(0) };
    },
  },
];

function running({ workers }: Ground, random: Random): WorkerSlot {
  const first = random.below(workers.length);
  const inOrder = [...workers.slice(first), ...workers.slice(0, first)];
  return inOrder.find(({ process }) => process !== undefined) ?? workers[0];
}
