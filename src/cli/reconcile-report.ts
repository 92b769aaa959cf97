/** What was compared, as a person reads it. */
import Table from 'cli-table3';
import type { ClaimComparison } from '../records/compare-claims.ts';
import type { FileComparison } from '../records/compare-file.ts';
import type { Difference, Side } from '../records/compare-tallies.ts';
import type { RebuiltClaims } from '../records/rebuild-claims.ts';

export interface ReconcileReport {
  readonly journal: {
    readonly records: number;
    readonly lines: number;
    /** Committed records that no line can be derived from: `verify` names them. */
    readonly unreadable: number;
    readonly differences: readonly Difference[];
  };
  readonly claims?: ClaimComparison;
  readonly file?: FileComparison;
}

/** How many differences are shown of each kind; all are counted, and are in --json. */
const shownMax = 100;
const namesShownMax = 5;

export function differencesIn({ journal, claims, file }: ReconcileReport): number {
  const ofFile = (file?.differences.length ?? 0) + (file?.unreadable.length ?? 0);
  return journal.differences.length + journal.unreadable + (claims?.differences.length ?? 0) + ofFile;
}

export function reportText({ journal, claims, file }: ReconcileReport): string {
  return [
    ...journalText(journal),
    ...(claims === undefined ? [] : claimsText(claims)),
    ...(file === undefined ? [] : fileText(file)),
  ].join('\n');
}

export function rebuiltText({ lines, written, held, ended }: RebuiltClaims): string {
  return `${written} claim(s) written for ${lines} line(s) of the last W + guard; ${held} key(s) were held, ${ended} claim(s) had ended.`;
}

function journalText({ records, lines, unreadable, differences }: ReconcileReport['journal']): string[] {
  const verify = 'Run "scangate verify", which names each record and line.';
  return [
    `Journal: ${records} record(s), ledger: ${lines} line(s), ${differences.length} difference(s).`,
    ...differenceText(differences, 'journal'),
    ...(unreadable > 0 ? [`${unreadable} committed record(s) cannot be read.`] : []),
    ...(differences.length + unreadable > 0 ? [verify] : []),
  ];
}

function claimsText({ claims, pending, foreign, guarded, recent_lines, differences }: ClaimComparison): string[] {
  const ofGuards = guarded > 0 ? `, ${guarded} with a lease, of guards of the library over their own ledger` : '';
  const others = `${ofGuards}${foreign > 0 ? `, ${foreign} of another form` : ''}`;
  return [
    `Claims: ${claims}, ${pending} of them pending${others}; lines of the last W + guard: ${recent_lines}; ${differences.length} difference(s).`,
    ...shown(differences.map(({ key, message }) => `  ${key}: ${message}`)),
  ];
}

function fileText({ rows, from, to, unreadable, differences }: FileComparison): string[] {
  // A file of which no row can be read has no days.
  const days = from === undefined || to === undefined ? '' : `, ${from} to ${to}`;
  const unread = unreadable.length === 0 ? '' : `, ${unreadable.length} row(s) that cannot be read`;
  return [
    `File: ${rows} row(s)${days}, ${differences.length} difference(s)${unread}.`,
    ...differenceText(differences, 'file'),
    ...shown(unreadable.map(({ line, message }) => `  line ${line} cannot be read: ${message}`)),
  ];
}

function differenceText(differences: readonly Difference[], there: string): string[] {
  if (differences.length === 0) return [];
  const head = ['facility', 'day', 'product', 'lot', 'unit', 'ledger', there, 'to add', 'only in ledger', `only in ${there}`];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const found of differences.slice(0, shownMax)) {
    const { facility_uuid, day, product, lot_number, unit, here, there: other, difference } = found;
    const names = [found.names_only_here, found.names_only_there].map(namesText);
    table.push([facility_uuid, day, product, lot_number, unit, sideText(here), sideText(other), difference, ...names]);
  }
  const corrections = differences.map(({ correction }) => JSON.stringify(correction));
  const more = differences.length > shownMax ? [`  … and ${differences.length - shownMax} more`] : [];
  return [
    table.toString(),
    ...more,
    'Proposed, to be looked at and posted by a person with "scangate import":',
    ...corrections.slice(0, shownMax),
  ];
}

function sideText(side: Side | null): string {
  return side === null ? 'nothing' : `${side.delta} in ${side.lines}`;
}

function namesText(names: readonly string[]): string {
  const more = names.length > namesShownMax ? [`… ${names.length}`] : [];
  return [...names.slice(0, namesShownMax), ...more].join(' ');
}

function shown(lines: readonly string[]): string[] {
  return lines.length > shownMax ? [...lines.slice(0, shownMax), `  … and ${lines.length - shownMax} more`] : [...lines];
}
