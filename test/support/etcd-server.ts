/** A cluster of etcd, stopped when the test file ends. */
import * as servers from '../../src/testing/servers/etcd-server.ts';
import { lifetime } from './lifetime.ts';

export type { EtcdCluster, EtcdNode } from '../../src/testing/servers/etcd-server.ts';

/** {@inheritDoc servers.startEtcd} */
export function startEtcd(electionMs?: number): Promise<servers.EtcdCluster> {
  return servers.startEtcd(lifetime, electionMs);
}
