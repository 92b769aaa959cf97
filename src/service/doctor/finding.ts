/** What a check has found. */
import { type CheckName, checkNames, checks, type Level } from './catalogue.ts';

export interface Finding {
  readonly check: CheckName;
  /** Which server, directory or scanner class. */
  readonly target: string;
  readonly level: Level;
  /** One or more sentences. */
  readonly found: string;
  /** Where it is not ok. */
  readonly means?: string;
  readonly todo?: string;
}

export function finding(check: CheckName, target: string, level: Level, found: string): Finding {
  if (level === 'ok') return { check, target, level, found };
  const { means, todo } = checks[check];
  return { check, target, level, found, means, todo };
}

/** In the order of the catalogue, and within one check as they were found. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check));
}

export function worstOf(findings: readonly Finding[]): Level {
  const levels = findings.map(({ level }) => level);
  return levels.includes('refusal') ? 'refusal' : levels.includes('warning') ? 'warning' : 'ok';
}

/** As one sentence after the other, for a log. */
export function inSentences({ check, target, found, means, todo }: Finding): string {
  return [`${check}, ${target}: ${found}`, means, todo].filter((part) => part !== undefined).join(' ');
}
