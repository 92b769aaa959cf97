// A peer as a system under torture: the same workers, devices, servers and faults as ours.
import { listeningUrl, start } from 'scangate/testing';
import { peerTables } from './peer-book.js';

const workerPath = new URL('worker.js', import.meta.url).pathname;

/** @param name as `PEER` of the worker. */
export function peerSystem(name) {
  return {
    name,
    hasJournal: false,
    hasMetrics: false,
    async prepare(postgres, database) {
      await postgres.query(database, peerTables);
    },
    async startWorker(lifetime, { sentinelPort, postgres, execArgs, env }) {
      const own = { PEER: name, PEER_SENTINEL_PORT: String(sentinelPort), PEER_POSTGRES: postgres };
      const started = start(lifetime, process.execPath, [...execArgs, workerPath], { ...env, ...own }, 200);
      return Object.assign(started, { url: await listeningUrl(started) });
    },
    answers: new URL('peer-answer.js', import.meta.url),
    async readBooks(postgres, database, history) {
      for (const { occurred_at, ...row } of await postgres.query(database, 'SELECT * FROM dispenses ORDER BY occurred_at')) {
        const { facility_uuid, entry_id, transmission, product, delta } = row;
        history({ kind: 'line', facility_uuid, entry_id, transmission, occurred_at: Number(occurred_at), product, delta });
      }
    },
    audit: async () => [],
  };
}
