/** Every kind of fault. */
import type { FaultKind } from './fault.ts';
import { linkFaults } from './link-faults.ts';
import { postgresFaults } from './postgres-faults.ts';
import { redisFaults } from './redis-faults.ts';
import { workerFaults } from './worker-faults.ts';

export const faultKinds: readonly FaultKind[] = [...workerFaults, ...redisFaults, ...postgresFaults, ...linkFaults];
