/**
 * The place of one worker in the fleet: its links and its clock stay, its process comes and goes. Whoever kills it on purpose says so; one
 * that ends by itself is remembered, which is a defect.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../base/package-folder.ts';
import { FaultyLink } from '../servers/faulty-link.ts';
import type { Lifetime } from '../servers/lifetime.ts';
import { waited } from '../servers/until.ts';
import type { System, WorkerProcess, WorkerSettings } from './system.ts';

const clockModule = join(packageFolder, 'dist/testing/torture/shifted-clock.js');

/** How long a worker may need until it runs, with all the attempts that its supervisor makes, ms. */
const startMsMax = 90_000;

export class WorkerSlot {
  readonly name: string;
  /** From clients to the worker. */
  readonly http = new FaultyLink('http', 0);
  readonly postgres: FaultyLink;
  /** What a process said that ended by itself. */
  readonly endedByItself: string[] = [];
  readonly #lifetime: Lifetime;
  readonly #system: System;
  readonly #folder: string;
  readonly #clockPath: string;
  #settings: WorkerSettings | undefined;
  #process: WorkerProcess | undefined;
  #isEndWanted = false;

  constructor(lifetime: Lifetime, system: System, name: string, postgresPort: number) {
    this.#lifetime = lifetime;
    this.#system = system;
    this.name = name;
    this.postgres = new FaultyLink('postgres', postgresPort);
    this.#folder = lifetime.folder('scangate-worker-');
    this.#clockPath = join(this.#folder, 'clock');
    writeFileSync(this.#clockPath, '0');
  }

  get url(): string {
    return `http://127.0.0.1:${this.http.port}`;
  }

  /** Nothing while it is down. */
  get process(): WorkerProcess | undefined {
    return this.#process;
  }

  async open(shared: Pick<WorkerSettings, 'redis' | 'sentinelPort'>, database: string): Promise<void> {
    for (const link of [this.http, this.postgres]) {
      await link.listen();
      this.#lifetime.onEnd(() => link.close());
    }
    this.#settings = {
      ...shared,
      name: this.name,
      postgres: `postgres://postgres@127.0.0.1:${this.postgres.port}/${database}`,
      folder: this.#folder,
      execArgs: ['--import', clockModule],
      env: { CLOCK_OFFSET_FILE: this.#clockPath },
    };
    await this.start();
  }

  /** As a supervisor does it: again and again, for a worker that needs its database refuses to start without it. */
  async start(): Promise<void> {
    if (this.#settings === undefined || this.#process !== undefined) return;
    const deadline = performance.now() + startMsMax;
    for (;;) {
      try {
        this.#took(await this.#system.startWorker(this.#lifetime, this.#settings));
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await waited(300);
      }
    }
  }

  /** By which its clock differs from the true one from now on, ms. */
  setClock(offsetMs: number): void {
    writeFileSync(this.#clockPath, String(offsetMs));
    this.#process?.kill('SIGUSR2');
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Ends the process, and waits until it has gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    this.#isEndWanted = true;
    process.kill(signal);
    await process.ended;
    this.#process = undefined;
  }

  #took(process: WorkerProcess): void {
    this.#process = process;
    this.#isEndWanted = false;
    this.http.target = Number(new URL(process.url).port);
    void process.ended.then(({ code, signal, stderr }) => {
      if (this.#process !== process || this.#isEndWanted) return;
      this.endedByItself.push(`${this.name} ended with ${code ?? signal}: ${stderr.slice(-500)}`);
      this.#process = undefined;
    });
  }
}
