/** Slots of a cluster of Redis that move from one master to another, as an operator moves them: while everybody goes on. */
import type { RedisServer } from './redis-server.ts';
import type { RedisCluster } from './redis-topologies.ts';

export interface SlotMove {
  /** From now on new keys of these slots are made at their new master, and who asks the old one is sent there. */
  begin(): Promise<void>;
  /** The keys that are left follow, and everybody is told. */
  end(): Promise<void>;
}

/** @param count how many slots, from the first of the first master on. They go to the second. */
export function slotMove({ nodes, ids }: RedisCluster, count: number): SlotMove {
  const [source, target, ...others] = nodes;
  const [sourceId = '', targetId = ''] = ids;
  if (source === undefined || target === undefined) throw new Error('There are not two nodes.');
  const slots = Array.from({ length: count }, (_, slot) => slot);
  const tell = (node: RedisServer, ...told: readonly string[]) =>
    Promise.all(slots.map((slot) => node.operator.call('cluster', 'setslot', slot, ...told)));
  return {
    async begin() {
      await tell(target, 'importing', sourceId);
      await tell(source, 'migrating', targetId);
    },
    async end() {
      await Promise.all(slots.map((slot) => moveKeys(slot, source, target)));
      for (const node of [target, source, ...others]) await tell(node, 'node', targetId);
    },
  };
}

/** All of them, because a slot that moves gets no new ones. */
async function moveKeys(slot: number, source: RedisServer, target: RedisServer): Promise<void> {
  const keys = (await source.operator.call('cluster', 'getkeysinslot', slot, 1_000)) as string[];
  if (keys.length > 0) await source.operator.call('migrate', '127.0.0.1', target.port, '', 0, 5_000, 'KEYS', ...keys);
}
