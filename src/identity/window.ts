/**
 * The one window rule (R2), used by every ledger, claim and report.
 *
 * A committed scan covers the half-open span from its own time to W later: `[occurredAt, occurredAt + W)`. Two scans of one
 * content are one physical scan when their spans overlap, which for one W is |Δ occurredAt| < W. At exactly W it is a new
 * scan. The span is anchored at the committed scan and never slides. Times are epoch milliseconds by `occurredAtOf`.
 */
export interface Span {
  readonly occurredAt: number;
  readonly windowMs: number;
}

export function samePhysicalScan(a: Span, b: Span): boolean {
  return a.occurredAt < windowEndsAt(b) && b.occurredAt < windowEndsAt(a);
}

/** The first instant at which the same content is a new scan. */
export function windowEndsAt(span: Span): number {
  return span.occurredAt + span.windowMs;
}

export function gapMs(a: Span, b: Span): number {
  return Math.abs(a.occurredAt - b.occurredAt);
}
