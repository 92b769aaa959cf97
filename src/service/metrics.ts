import type { Counter as CounterOf, Histogram as HistogramOf } from 'prom-client';
import type { ScanGateError } from '../base/errors.ts';
import type { PreFilterAnswer } from '../gate/pre-filter.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { LedgerStatus } from '../ledger/ledger.ts';
import type { WatchedClaims } from './claims.ts';
import { Counter, Gauge, Histogram, Registry, showProcess, watchPauses } from './prometheus.ts';

/** What is shown of claims. */
type ShownClaims = Pick<WatchedClaims, 'report' | 'notKept'>;

/** What Prometheus may ask for. Names and labels are a promise to dashboards: `docs/reference/metrics.md` lists them. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #scans: CounterOf<'outcome' | 'reason'>;
  readonly #flagged: CounterOf<'flag'>;
  readonly #gaps: HistogramOf;
  readonly #batchItems: HistogramOf;
  readonly #appendSeconds: HistogramOf;
  readonly #failures: CounterOf<'code'>;
  readonly #degraded: CounterOf;
  readonly #preFiltered: CounterOf<'answer'>;
  #showsProcess = false;

  /** @param queueDepth and the others are asked whenever Prometheus asks. */
  constructor(queueDepth: () => number, status: () => Promise<LedgerStatus | undefined>, claims?: () => ShownClaims | undefined) {
    const registers = [this.#registry];
    watchPauses(this.#registry);
    this.#scans = new Counter({
      name: 'scangate_scans_total',
      help: 'Transmissions by outcome; reason is the code of a rejection or an unavailable answer, or the rule of a suppression.',
      labelNames: ['outcome', 'reason'],
      registers,
    });
    this.#flagged = new Counter({
      name: 'scangate_flags_total',
      help: 'Flags set on decisions.',
      labelNames: ['flag'],
      registers,
    });
    this.#gaps = new Histogram({
      name: 'scangate_suppressed_gap_seconds',
      help: 'Time between a suppressed scan and the entry that it duplicates.',
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.75, 1, 1.5, 2, 2.5, 3, 5, 10, 30, 60, 600, 3600, 86_400],
      registers,
    });
    this.#batchItems = new Histogram({
      name: 'scangate_ledger_batch_items',
      help: 'Transmissions in one transaction of the ledger.',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    });
    this.#appendSeconds = new Histogram({
      name: 'scangate_ledger_append_seconds',
      help: 'Duration of one transaction of the ledger, until it is on disk.',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
    this.#failures = new Counter({
      name: 'scangate_ledger_failures_total',
      help: 'Transactions that failed.',
      labelNames: ['code'],
      registers,
    });
    this.#degraded = new Counter({ name: 'scangate_claims_degraded_total', help: 'Claims that could not help.', registers });
    this.#preFiltered = new Counter({
      name: 'scangate_pre_filter_total',
      help: 'Scans by what the pre-filter said: new went to the ledger beside their claims, seen after them.',
      labelNames: ['answer'],
      registers,
    });
    if (claims !== undefined) this.#showClaims(claims);
    new Gauge({
      name: 'scangate_queue_depth',
      help: 'Transmissions that wait for the ledger or are on their way.',
      registers,
      collect() {
        this.set(queueDepth());
      },
    });
    new Gauge({
      name: 'scangate_ledger_bytes',
      help: 'Size of the ledger on disk.',
      registers,
      async collect() {
        // A ledger that does not answer leaves the last size: all other numbers are needed most just then.
        const known = await status().catch(() => undefined);
        if (known !== undefined) this.set(known.bytes);
      },
    });
  }

  /** For a process that has claims. */
  #showClaims(claims: () => ShownClaims | undefined): void {
    new Gauge({
      name: 'scangate_claims_up',
      help: '1 while claims are answered, 0 while the ledger decides alone. Only where there are claims.',
      registers: [this.#registry],
      collect() {
        this.set(claims()?.report.state === 'degraded' ? 0 : 1);
      },
    });
    new Counter({
      name: 'scangate_claims_not_kept_total',
      help: 'Claims that fewer replicas or disks had in time than redis_replicas and redis_wait_aof ask for.',
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(claims()?.notKept ?? 0);
      },
    });
  }

  decided({ decision }: Verdict): void {
    const code = 'code' in decision ? decision.code : 'rejection' in decision ? decision.rejection.code : '';
    this.#scans.inc({ outcome: decision.outcome, reason: 'reason' in decision ? decision.reason : code });
    if ('flags' in decision) for (const flag of decision.flags) this.#flagged.inc({ flag });
    if ('gapMs' in decision) this.#gaps.observe(decision.gapMs / 1_000);
  }

  appended(items: number, durationMs: number, error: ScanGateError | undefined): void {
    this.#batchItems.observe(items);
    this.#appendSeconds.observe(durationMs / 1_000);
    if (error !== undefined) this.#failures.inc({ code: error.code });
  }

  degraded(): void {
    this.#degraded.inc();
  }

  preFiltered(answer: PreFilterAnswer): void {
    this.#preFiltered.inc({ answer });
  }

  async text(): Promise<{ contentType: string; text: string }> {
    if (!this.#showsProcess) showProcess(this.#registry);
    this.#showsProcess = true;
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}
