import { describe, expect, test } from 'vitest';
import { openClaims, preFilterOf } from '../../../src/service/claims.ts';
import { type ConfigKey, loadConfig } from '../../../src/service/config.ts';
import { scanAt } from '../../../src/testing/wire-scans.ts';
import { fixedClock } from '../../support/scans.ts';

const { content } = scanAt(0).identity;
const configOf = (flags: Partial<Record<ConfigKey, string>>) =>
  loadConfig({ flags: { pre_filter: 'true', redis: 'redis://127.0.0.1', ...flags }, environment: {} });

describe('the setting pre_filter', () => {
  test('makes no filter when it is off', () => {
    expect(preFilterOf(configOf({ pre_filter: 'false' }))).toBeUndefined();
  });

  test('makes one that remembers as long as the longest claim of all classes', () => {
    const clock = fixedClock();
    const slow = { scanners: ['A'], window_ms: 10_000 };
    const filter = preFilterOf(configOf({ scanner_classes: JSON.stringify({ slow }) }), clock);
    filter?.ask(content);
    clock.advance(10_500);
    expect(filter?.ask(content)).toBe('seen');
    clock.advance(15_751);
    expect(filter?.ask(content)).toBe('new');
  });

  test('makes one of the size that the rate needs', () => {
    expect(preFilterOf(configOf({ pre_filter_scans_per_s: '1000' }))?.bytes).toBe(7_800);
  });

  test('is refused where it would need too much memory', () => {
    expect(() => preFilterOf(configOf({ window_ms: '86400000' }))).toThrow(
      'Settings: The pre-filter needs 1835 MiB for this rate and window, and may have 64.',
    );
  });

  test('is refused together with replicas, whose number could not be recorded', () => {
    expect(() => preFilterOf(configOf({ redis_replicas: '1' }))).toThrow(
      'Settings: pre_filter and redis_replicas do not go together.',
    );
  });

  test('is refused without claims', async () => {
    await expect(openClaims(configOf({ redis: '' }))).rejects.toThrow('Settings: pre_filter needs redis or etcd.');
  });
});
