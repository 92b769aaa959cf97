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

  test.each([[{ redis_replicas: '1' }], [{ redis_wait_aof: 'true' }]])(
    'is refused together with %j, which could not be recorded',
    (waits) => {
      expect(() => preFilterOf(configOf(waits))).toThrow(
        'Settings: pre_filter does not go together with redis_replicas and redis_wait_aof.',
      );
    },
  );

  test('is refused without claims', async () => {
    await expect(openClaims(configOf({ redis: '' }))).rejects.toThrow('Settings: pre_filter needs redis or etcd.');
  });
});
