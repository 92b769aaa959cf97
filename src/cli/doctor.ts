import Table from 'cli-table3';
import { Command } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import type { ConfigKey } from '../service/config.ts';
import { examine } from '../service/doctor/examine.ts';
import { type Finding, worstOf } from '../service/doctor/finding.ts';
import { settingsOf, withSettings } from './settings.ts';

/** What is looked at depends on these. */
const keys: readonly ConfigKey[] = [
  ...(['data', 'postgres', 'postgres_connections_max', 'allow_unsafe_ledger', 'redis'] as const),
  ...(['redis_replicas', 'redis_replicas_ms', 'redis_wait_aof'] as const),
  ...(['claim_keys', 'allow_eviction', 'window_ms', 'scanner_classes', 'captured_ahead_ms_max'] as const),
  'allow_network_file_system',
];

interface Flags {
  readonly json?: true;
  readonly retryHorizonMs?: string;
}

export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description(
      'Look at everything that a server with these settings would depend on. Exit code 1 when it would refuse to start.',
    )
    .option('--retry-horizon-ms <n>', 'how long clients go on retrying, to compare the window of each scanner class with it')
    .option('--json', 'the findings as JSON');
  return withSettings(command, keys).action(async () => {
    const { json, retryHorizonMs } = command.opts<Flags>();
    const findings = await examine(
      settingsOf(command),
      retryHorizonMs === undefined ? {} : { retryHorizonMs: horizonOf(retryHorizonMs) },
    );
    const level = worstOf(findings);
    console.log(json === true ? JSON.stringify({ level, findings }) : text(findings));
    if (level === 'refusal') process.exitCode = 1;
  });
}

function horizonOf(given: string): number {
  if (/^\d{1,12}$/.test(given)) return Number(given);
  throw new ScanGateError('SG_CONFIG_INVALID', `--retry-horizon-ms is "${given}", which is not a whole number.`);
}

function text(findings: readonly Finding[]): string {
  const table = new Table({
    head: ['level', 'check', 'what was found, what it means, and what to do'],
    style: { head: [], border: [] },
    colWidths: [null, null, 96],
    wordWrap: true,
  });
  for (const { level, check, target, found, means, todo } of findings) {
    const lines = [`${target}: ${found}`, means, todo === undefined ? undefined : `→ ${todo}`];
    table.push([level, check, lines.filter((line) => line !== undefined).join('\n')]);
  }
  return [table.toString(), ...summary(findings)].join('\n');
}

function summary(findings: readonly Finding[]): string[] {
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  const [refusals, warnings] = [count('refusal'), count('warning')];
  if (refusals + warnings === 0) return ['Everything is as it should be.'];
  return [`${refusals} refusal(s), ${warnings} warning(s). ${refusals === 0 ? 'A server starts.' : 'A server does not start.'}`];
}
