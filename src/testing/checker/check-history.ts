/**
 * The checker: from the events of a history to a judgement.
 *
 * It shares no rule with what it judges: it knows the truth of each physical scan from the history, and the form of records, hashes and
 * lines. It never asks the system under test, and never what one of its functions would have decided.
 */
import { assertNever } from '../../base/assert-never.ts';
import { ScanGateError } from '../../base/errors.ts';
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { HistoryEvent, RunEvent } from '../history.ts';
import { checkAnswers, checkBoundIds } from './check-answers.ts';
import { checkAudit } from './check-audit.ts';
import { checkBalances } from './check-balances.ts';
import { JournalCheck } from './check-journal.ts';
import { checkLines } from './check-lines.ts';
import { checkOrderOfAnswers } from './check-order.ts';
import { checkQuarantine } from './check-quarantine.ts';
import { RecordCheck } from './check-records.ts';
import { checkScans } from './check-scans.ts';
import { checkWindows } from './check-windows.ts';
import { Findings, type Judgement } from './judgement.ts';
import { KnownHistory } from './known-history.ts';

/** @throws ScanGateError `SG_HISTORY_INVALID` where it does not begin with its run. */
export function checkHistory(events: Iterable<HistoryEvent>): Judgement {
  const checker = new HistoryChecker();
  for (const event of events) checker.add(event);
  return checker.judge();
}

/** Takes a history event by event, and keeps of it only what has to be compared. */
export class HistoryChecker {
  readonly #findings = new Findings();
  readonly #history = new KnownHistory(this.#findings);
  readonly #journal = new JournalCheck(this.#findings);
  #run: RunEvent | undefined;
  #records: RecordCheck | undefined;

  add(event: HistoryEvent): void {
    if (this.#run === undefined) this.#begin(event);
    else if (event.kind === 'run') this.#findings.add('contradictory_history', 'The history begins twice.');
    else this.#take(event);
  }

  /** Once, after the last event. */
  judge(): Judgement {
    const run = this.#run;
    const records = this.#records;
    if (run === undefined || records === undefined) throw invalid();
    const [history, findings] = [this.#history, this.#findings];
    if (run.has_journal) {
      this.#journal.end(history.lines);
      checkAudit(history, records.rejected, findings);
      checkQuarantine(history, records.rejected, findings);
    } else if (this.#journal.recordCount > 0) {
      findings.add('contradictory_history', 'The history says that there is no journal, and holds records of one.');
    }
    checkShown(history, findings);
    const { swallowed, leftOut } = checkScans(history, run.window_ms, findings);
    checkLines(history, findings);
    checkOrderOfAnswers(history, findings);
    checkAnswers(history, run.has_journal ? records.rejected : undefined, findings);
    if (run.binds_ids !== false) checkBoundIds(history, findings);
    checkWindows(history, run.window_ms, findings);
    checkBalances(history, leftOut, findings);
    const { found, violations } = findings;
    const { answers } = history;
    return {
      run,
      counts: {
        scans: history.scans.size,
        unreadable: [...history.scans.values()].filter(({ truth }) => !truth.readable).length,
        transmissions: history.transmissions.size,
        answered: Object.values(answers).reduce((sum, count) => sum + count, 0),
        answers,
        lines: history.lineCount,
        records: this.#journal.recordCount,
        faults: Object.fromEntries(history.faults),
      },
      phantom: found.phantom_overage,
      lost: found.lost_scan,
      swallowed,
      falseAcknowledgements: found.false_acknowledgement,
      unaudited: found.unaudited_transmission,
      brokenChains: found.broken_chain,
      wrongBalances: found.wrong_balance,
      outOfOrder: found.out_of_order,
      found,
      violations,
      isSound: violations.length === 0,
    };
  }

  #begin(event: HistoryEvent): void {
    if (event.kind !== 'run') throw invalid();
    this.#run = event;
    this.#records = new RecordCheck(this.#history, this.#findings, event);
  }

  #take(event: Exclude<HistoryEvent, RunEvent>): void {
    if (event.kind === 'scan') this.#history.scan(event);
    else if (event.kind === 'sent') this.#history.sent(event);
    else if (event.kind === 'answered') this.#history.answered(event);
    else if (event.kind === 'fault') this.#history.fault(event);
    else if (event.kind === 'problem') this.#findings.add('problem', event.message);
    else if (event.kind === 'line') this.#history.line(event);
    else if (event.kind === 'record') this.#takeRecord(event.record);
    else if (event.kind === 'quarantined') this.#history.quarantine(event);
    else if (event.kind === 'head') this.#journal.head(event);
    else assertNever(event);
  }

  #takeRecord(record: JournalRecord): void {
    // A record cannot refer to itself: what it refers to is looked up before it is taken.
    const of = this.#journal.committed(record.of?.id);
    this.#journal.record(record);
    this.#records?.record(record, of);
  }
}

/** Nothing is sound because nothing was looked at. */
function checkShown({ scans, answers }: KnownHistory, findings: Findings): void {
  if (scans.size === 0) findings.add('nothing_shown', 'Nothing was scanned: there is nothing to judge.');
  else if (Object.values(answers).every((count) => count === 0))
    findings.add('nothing_shown', 'Nothing was answered: nothing can be said of acknowledgements, nor of the audit.');
}

function invalid(): ScanGateError {
  return new ScanGateError('SG_HISTORY_INVALID', 'This is no history of a run: it does not begin with its run.');
}
