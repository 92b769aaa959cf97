/** From a verdict to what goes over the wire. The only place that knows HTTP status numbers of outcomes. */
import { assertNever } from '../../base/assert-never.ts';
import { type ErrorCode, errorCodes } from '../../base/errors.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { recordedScan } from '../../scan/recorded-scan.ts';

export interface Answer {
  readonly status: number;
  /** Names as on the wire; the outcome is always among them. */
  readonly body: Readonly<Record<string, unknown>> & { readonly outcome: string };
}

/** How long a client should wait before it sends again, seconds. */
export const retryAfterSeconds = 1;

export function answerOf({ transmission, decision }: Verdict): Answer {
  const scanId = transmission.kind === 'scan' ? transmission.scan.scanId : transmission.origin.scanId;
  const named = scanId === undefined ? {} : { scan_uuid: scanId };
  switch (decision.outcome) {
    case 'committed': {
      const { entry, claimKey, flags } = decision;
      return {
        status: 201,
        body: { outcome: 'committed', ...named, entry, claim_key: claimKey, ...scanOf(transmission), flags },
      };
    }
    case 'suppressed': {
      const { of, claimKey, gapMs, windowMs, arbiter, reason, flags } = decision;
      const body = {
        outcome: 'suppressed',
        ...named,
        of,
        claim_key: claimKey,
        gap_ms: gapMs,
        window_ms: windowMs,
        arbiter,
        reason,
        flags,
      };
      return { status: 200, body };
    }
    case 'conflict': {
      const { of, claimKey, differs, flags } = decision;
      const message = `This scan id was used before with other content: ${differs.join(', ')}. The first entry stands; nothing was added.`;
      return {
        status: 422,
        body: { outcome: 'conflict', ...named, code: 'SG_CONFLICT', of, claim_key: claimKey, differs, message, flags },
      };
    }
    case 'rejected': {
      const { rejection, quarantineId } = decision;
      return {
        status: statusOf(rejection.code),
        body: { outcome: 'rejected', ...named, ...rejection, quarantine_id: quarantineId },
      };
    }
    case 'unavailable': {
      const { code, message } = decision;
      const body = {
        outcome: 'unavailable',
        ...named,
        code,
        message: `${message} Send it again.`,
        retry_after_s: retryAfterSeconds,
      };
      return { status: 503, body };
    }
    default:
      return assertNever(decision);
  }
}

function scanOf(transmission: Verdict['transmission']): Record<string, unknown> {
  if (transmission.kind !== 'scan') return {};
  return { occurred_at: transmission.scan.occurredAt, scan: recordedScan(transmission.scan) };
}

/** The status of many answers: theirs, when they all have one, else 207. */
export function commonStatus(all: Iterable<number>): number {
  const [only = 200, ...others] = new Set(all);
  return others.length > 0 ? 207 : only;
}

/** What was not understood at all is 4xx of its own; what was understood and refused is 422. */
const statuses: Partial<Record<ErrorCode, number>> = {
  SG_JSON_INVALID: 400,
  SG_KEY_REPEATED: 400,
  SG_NUMBER_INEXACT: 400,
  SG_ITEM_TOO_DEEP: 400,
  SG_BODY_EMPTY: 400,
  SG_REQUEST_INVALID: 400,
  SG_REQUEST_TIMEOUT: 408,
  SG_BODY_TOO_LARGE: 413,
  SG_BATCH_TOO_LARGE: 413,
  SG_ITEM_TOO_LARGE: 413,
  SG_MEDIA_TYPE: 415,
  SG_CONTENT_ENCODING: 415,
};

function statusOf(code: ErrorCode): number {
  return statuses[code] ?? 422;
}

/** RFC 9457. */
export function problem(status: number, code: ErrorCode, message: string) {
  return { type: `urn:scangate:problem:${code}`, title: errorCodes[code].about, status, detail: message, code, message };
}
