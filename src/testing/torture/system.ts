/** What a torture run needs of the system that it tests: that it can be started, asked over HTTP, and read at the end. */
import type { HistoryWriter } from '../history.ts';
import type { Lifetime } from '../servers/lifetime.ts';
import type { PostgresServer } from '../servers/postgres-server.ts';
import type { Started } from '../servers/started-process.ts';
import type { Answer } from '../workload/client.ts';

export interface WorkerSettings {
  /** Such as `w1`. */
  readonly name: string;
  /** Redis through a Sentinel, as in `redis+sentinel://host:port/claims`. */
  readonly redis: string;
  readonly sentinelPort: number;
  /** PostgreSQL over a link of this worker alone. */
  readonly postgres: string;
  /** A folder that is the same at every start of this worker. */
  readonly folder: string;
  /** Options of Node.js, and variables, by which its clock is another one. */
  readonly execArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface WorkerProcess extends Started {
  /** Where it takes `POST /v1/scans`. */
  readonly url: string;
}

/** What an answer means; nothing where it is none. */
export type AnswerOf = (status: number, text: string) => Answer | undefined;

export interface System {
  readonly name: string;
  readonly hasJournal: boolean;
  /** Whether `GET /metrics` says how the claims do. */
  readonly hasMetrics: boolean;
  /** Makes its tables, before any worker starts. */
  prepare(postgres: PostgresServer, database: string): Promise<void>;
  /** @throws when it ends instead. */
  startWorker(lifetime: Lifetime, settings: WorkerSettings): Promise<WorkerProcess>;
  /** A module that exports `answerOf`, an {@link AnswerOf}: the devices import it in a thread of their own. */
  readonly answers: URL;
  /** Lines, records, quarantine and heads of the books, at the end. */
  readBooks(postgres: PostgresServer, database: string, history: HistoryWriter): Promise<void>;
  /** What the system's own audit finds wrong, one sentence each. */
  audit(postgres: PostgresServer, database: string): Promise<readonly string[]>;
}
