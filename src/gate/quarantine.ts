/**
 * What was rejected, and what a person makes of it: released as a scan, at most once, or discarded. Never edited, never forgotten.
 *
 * In: the id of what is in quarantine, who answers for it, why, and corrected fields. Out: the verdict, decided like every other
 * with the time and the scan id that it came with. What can go wrong: it is no scan still, or in conflict; then it stays where it is.
 */
import { ScanGateError } from '../base/errors.ts';
import { ok, type Result } from '../base/result.ts';
import type { JournalRecord, Resolves } from '../ledger/journal-record.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Resolution } from '../ledger/quarantine-entry.ts';
import { parseInstant } from '../scan/instant.ts';
import { defaultTimeRules, type TimeRules } from '../scan/occurred-at.ts';
import { readJson } from '../scan/read-json.ts';
import { type Rejection, reject } from '../scan/rejection.ts';
import { unreadableFacility } from '../scan/scan.ts';
import { parseText } from '../scan/text.ts';
import { textLengthMax } from '../scan/wire-schema.ts';
import { type Admission, type Arrival, admit } from './arrival.ts';
import type { GateObserver } from './gate.ts';
import type { Verdict } from './verdict.ts';

/** Fields of the wire to be put in; `null` takes one out. */
export type Corrections = Readonly<Record<string, unknown>>;

export interface ReleaseRequest {
  readonly id: string;
  readonly actor: string;
  readonly reason: string;
  readonly corrections?: Corrections;
}

export type DiscardRequest = Omit<ReleaseRequest, 'corrections'>;

export type ReleaseResult =
  | Extract<Resolution, { kind: 'not_found' | 'resolved_before' }>
  /** What was asked for makes no sense: nothing was tried. */
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'decided'; readonly verdict: Verdict };

export type DiscardResult = Exclude<Resolution, { kind: 'decided' }> | Extract<ReleaseResult, { kind: 'refused' }>;

export interface QuarantineOptions extends Admission {
  readonly ledger: Pick<Ledger, 'quarantineEntry' | 'quarantined' | 'resolve'>;
  readonly timeRules?: TimeRules;
  readonly observer?: GateObserver;
}

/** What was said at the trigger. It can be put right only where it is what was wrong. */
const ofTheTrigger = ['scan_uuid', 'captured_at', 'sent_at'] as const;

export class Quarantine {
  readonly #options: QuarantineOptions;

  constructor(options: QuarantineOptions) {
    this.#options = options;
  }

  /** @throws ScanGateError of the kind `unavailable`: nothing was acknowledged. */
  async release({ id, actor, reason, corrections = {} }: ReleaseRequest): Promise<ReleaseResult> {
    const named = readResolves(id, actor, reason);
    if (!named.ok) return { kind: 'refused', rejection: named.error };
    const { ledger, observer } = this.#options;
    const entry = await ledger.quarantineEntry(id);
    if (entry === undefined) return { kind: 'not_found' };
    if (entry.resolution !== undefined) return { kind: 'resolved_before', entry };
    const raw = (await ledger.quarantined(id)) ?? new Uint8Array();
    const read = jsonObjectOf(entry.record, raw);
    const fields = { ...originOf(entry.record), ...read };
    const fault = correctionFault(entry.record, fields, read !== undefined, corrections);
    if (fault !== undefined) return { kind: 'refused', rejection: fault };
    const transmission = admit(this.#arrivalOf(entry.record, raw, { ...fields, ...corrections }), this.#options);
    if (transmission.kind === 'rejection') {
      const { rejection } = transmission;
      return { kind: 'decided', verdict: { transmission, decision: { outcome: 'rejected', quarantineId: id, rejection } } };
    }
    const corrected = Object.keys(corrections).sort();
    const resolves: Resolves = { ...named.value, ...(corrected.length > 0 && { corrected }) };
    const resolution = await ledger.resolve({ kind: 'release', resolves, transmission });
    if (resolution.kind === 'discarded') throw new ScanGateError('SG_LEDGER_FAILED', 'A release is not a discard.');
    if (resolution.kind !== 'decided') return resolution;
    const verdict: Verdict = { transmission, decision: resolution.decision };
    observer?.decided?.(verdict);
    return { kind: 'decided', verdict };
  }

  /** @throws ScanGateError of the kind `unavailable`: nothing was acknowledged. */
  async discard({ id, actor, reason }: DiscardRequest): Promise<DiscardResult> {
    const named = readResolves(id, actor, reason);
    if (!named.ok) return { kind: 'refused', rejection: named.error };
    const resolution = await this.#options.ledger.resolve({ kind: 'discard', resolves: named.value });
    if (resolution.kind === 'decided') throw new ScanGateError('SG_LEDGER_FAILED', 'A discard is not a decision.');
    return resolution;
  }

  /** As it came, at the time at which it came. */
  #arrivalOf({ rejection, transport }: JournalRecord, raw: Uint8Array, fields: Corrections): Arrival {
    const value = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null));
    const { timeRules = defaultTimeRules } = this.#options;
    const isOfFile = transport === 'file';
    return {
      transport: 'quarantine',
      value,
      receivedAt: rejection?.received_at ?? 0,
      raw: () => ({ bytes: raw }),
      // No time is too old for a file.
      timeRules: isOfFile ? { ...timeRules, ageMsMax: Number.POSITIVE_INFINITY } : timeRules,
      mustBeRepeatable: isOfFile,
    };
  }
}

function readResolves(id: string, actor: string, reason: string): Result<Resolves, Rejection> {
  const who = parseText('actor', actor, textLengthMax.actor);
  if (!who.ok) return who;
  const why = parseText('reason', reason, textLengthMax.reason);
  return why.ok ? ok({ quarantine_id: id, actor: who.value, reason: why.value }) : why;
}

/** What the journal knows of where it came from. */
function originOf({ facility_uuid, rejection }: JournalRecord): Corrections {
  return {
    ...(facility_uuid !== unreadableFacility && { facility_uuid }),
    ...(rejection?.scanner_id !== undefined && { scanner_id: rejection.scanner_id }),
    ...(rejection?.scan_uuid !== undefined && { scan_uuid: rejection.scan_uuid }),
  };
}

/** The scan on the wire, where all of it can be read without guessing. */
function jsonObjectOf({ rejection }: JournalRecord, raw: Uint8Array): Corrections | undefined {
  const json = readJson(new TextDecoder().decode(raw));
  const isObject = json.ok && typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value);
  return isObject && rejection?.truncated !== true ? (json.value as Corrections) : undefined;
}

/** A release is the scan that came, put right: not another scan. What nobody could read may be anything. */
function correctionFault(
  { rejection }: JournalRecord,
  fields: Corrections,
  wasRead: boolean,
  corrections: Corrections,
): Rejection | undefined {
  const changed = ofTheTrigger.find((name) => {
    const stands = fields[name] === undefined ? wasRead : isUsable(name, fields[name]);
    return Object.hasOwn(corrections, name) && rejection?.field !== name && stands;
  });
  if (changed === undefined) return undefined;
  const message = `${changed} was not what was wrong with it; it is released with the one that it came with.`;
  return reject('SG_FIELDS_DISAGREE', changed, message).error;
}

function isUsable(name: (typeof ofTheTrigger)[number], value: unknown): boolean {
  if (name === 'scan_uuid') return typeof value === 'string' && parseText(name, value, textLengthMax.scan_uuid).ok;
  return (typeof value === 'string' || typeof value === 'number') && parseInstant(name, value).ok;
}
