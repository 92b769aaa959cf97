/** What happens to PostgreSQL. */
import { waited } from '../servers/until.ts';
import type { FaultKind } from './fault.ts';

export const postgresFaults: readonly FaultKind[] = [
  {
    name: 'postgres crashed',
    place: 'postgres',
    lastsMs: [0, 1_500],
    async inject({ postgres }) {
      await postgres.stop('SIGKILL');
      return { target: 'postgres', heal: () => postgres.start() };
    },
  },
  {
    name: 'postgres crashed, its last bytes lost',
    place: 'postgres',
    lastsMs: [0, 1_500],
    async inject({ postgres, workers }) {
      const ends = workers.map(({ postgres: link }) => link.begin({ kind: 'silent', direction: 'reply', ends: 'reset' }));
      await waited(30);
      await postgres.stop('SIGKILL');
      for (const { postgres: link } of workers) link.reset();
      for (const end of ends) end();
      return { target: 'postgres', heal: () => postgres.start() };
    },
  },
  {
    name: 'postgres restarted in order',
    place: 'postgres',
    lastsMs: [0, 500],
    async inject({ postgres }) {
      await postgres.stop('SIGINT');
      return { target: 'postgres', heal: () => postgres.start() };
    },
  },
  {
    name: 'postgres stopped and continued',
    place: 'postgres',
    lastsMs: [200, 4_000],
    async inject({ postgres }) {
      postgres.signal('SIGSTOP');
      return { target: 'postgres', heal: () => postgres.signal('SIGCONT') };
    },
  },
  {
    name: 'postgres disk full',
    place: 'postgres',
    lastsMs: [500, 2_500],
    async inject({ postgres }) {
      const { disk } = postgres;
      if (disk === undefined) throw new Error('its data is not on a small disk, because mounting one takes root');
      await disk.fill();
      return {
        target: 'postgres',
        async heal() {
          disk.free();
          // It may have given up.
          if (!postgres.isRunning) await postgres.start();
        },
      };
    },
  },
  {
    name: 'connections terminated by an operator',
    place: 'postgres',
    lastsMs: [0, 0],
    async inject({ postgres }) {
      await postgres.query(
        'postgres',
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> 'postgres' OR application_name LIKE 'scangate%'",
      );
      return { target: 'postgres' };
    },
  },
];
