/** What `scangate doctor` finds, without a process of its own. */
import { loadConfig } from '../../src/service/config.ts';
import { type ExamineOptions, examine } from '../../src/service/doctor/examine.ts';
import type { Finding } from '../../src/service/doctor/finding.ts';
import { temporaryFolder } from './server.ts';

/** The findings with these settings, of servers that are asked in earnest. */
export function examined(flags: Readonly<Record<string, string>>, options?: ExamineOptions): Promise<Finding[]> {
  return examine(loadConfig({ flags: { data: temporaryFolder(), ...flags }, environment: {} }), options);
}

/** Level and sentence of each finding of a check. */
export function saidOf(check: Finding['check'], findings: readonly Finding[]): string[] {
  return findings.filter((finding) => finding.check === check).map(({ level, found }) => `${level}: ${found}`);
}

/** The checks that are not ok, each with its level. */
export function complaints(prefix: string, findings: readonly Finding[]): string[] {
  const bad = findings.filter(({ check, level }) => check.startsWith(prefix) && level !== 'ok');
  return bad.map(({ check, level }) => `${check}: ${level}`);
}
