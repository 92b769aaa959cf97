import { describe, expect, test } from 'vitest';
import { type ConfigKey, claimMsMaxOf, configKeys, loadConfig, scannerPolicyOf } from '../../../src/service/config.ts';

type Texts = Partial<Record<ConfigKey, string>>;

const withFlags = (flags: Texts) => loadConfig({ flags, environment: {} });
const withEnvironment = (environment: Record<string, string>) => loadConfig({ flags: {}, environment });
const classes = (scanner_classes: unknown) => withFlags({ scanner_classes: JSON.stringify(scanner_classes) });

describe('settings', () => {
  test('have defaults for everything', () => {
    expect(loadConfig({ flags: {}, environment: {} })).toEqual({
      host: '127.0.0.1',
      port: 8080,
      data: './data',
      postgres: '',
      postgres_connections_max: 8,
      allow_unsafe_ledger: false,
      redis: '',
      etcd: '',
      redis_deadline_ms: 150,
      redis_replicas: 0,
      redis_replicas_ms: 50,
      redis_wait_aof: false,
      claim_keys: 'content',
      pre_filter: false,
      pre_filter_scans_per_s: 10_000,
      allow_eviction: false,
      window_ms: 3_000,
      guard_ms: 500,
      distinct_ids: 'ignore',
      review_gap_ms: 400,
      profile: {},
      scanner_classes: {},
      unknown_product: 'quarantine',
      captured_age_ms_max: 2_678_400_000,
      captured_ahead_ms_max: 120_000,
      body_bytes_max: 8_388_608,
      stream_bytes_max: 1_073_741_824,
      item_bytes_max: 65_536,
      batch_items_max: 10_000,
      queue_items_max: 10_000,
      answer_ms_max: 15_000,
      check_on_start: true,
      allow_network_file_system: false,
    });
    expect(configKeys).toHaveLength(33);
  });

  test('of a flag win over those of the environment', () => {
    const environment = { SCANGATE_WINDOW_MS: '2000', SCANGATE_GUARD_MS: '0', HOME: '/root' };
    expect(loadConfig({ flags: { window_ms: '1000' }, environment })).toMatchObject({ window_ms: 1_000, guard_ms: 0 });
  });

  test('are read as what they are', () => {
    const read = withFlags({ check_on_start: 'false', port: '0', host: '::1', distinct_ids: 'trust' });
    expect(read).toMatchObject({ check_on_start: false, port: 0, host: '::1', distinct_ids: 'trust' });
  });
});

describe('nonsense', () => {
  const nonsense: readonly [Texts, string][] = [
    [{ window_ms: '0' }, 'window_ms must be >= 1'],
    [{ window_ms: '-1' }, 'window_ms must be >= 1'],
    [{ window_ms: '86400001' }, 'window_ms must be <= 86400000'],
    [{ window_ms: 'NaN' }, '--window-ms is "NaN", which is not a whole number'],
    [{ window_ms: 'Infinity' }, '--window-ms is "Infinity", which is not a whole number'],
    [{ window_ms: '1e3' }, '--window-ms is "1e3", which is not a whole number'],
    [{ window_ms: '0x10' }, '--window-ms is "0x10", which is not a whole number'],
    [{ window_ms: '3 s' }, '--window-ms is "3 s", which is not a whole number'],
    [{ window_ms: '' }, '--window-ms is empty'],
    [{ window_ms: ' ' }, '--window-ms is empty'],
    [{ guard_ms: '-1' }, 'guard_ms must be >= 0'],
    [{ port: '65536' }, 'port must be <= 65535'],
    [{ queue_items_max: '0' }, 'queue_items_max must be >= 1'],
    [{ answer_ms_max: '0' }, 'answer_ms_max must be >= 1'],
    [{ pre_filter: '1' }, '--pre-filter is "1", which is neither true nor false'],
    [{ pre_filter_scans_per_s: '0' }, 'pre_filter_scans_per_s must be >= 1'],
    [{ data: '' }, '--data is empty'],
    [{ check_on_start: 'yes' }, '--check-on-start is "yes", which is neither true nor false'],
    [{ scanner_classes: '{' }, '--scanner-classes is not JSON'],
    [{ scanner_classes: '[]' }, 'scanner_classes must be object'],
  ];

  test.each(nonsense)('%j is refused with one sentence', (flags, sentence) => {
    expect(() => withFlags(flags)).toThrow(`Settings: ${sentence}.`);
  });

  test('in the environment is refused by the name that it has there', () => {
    expect(() => withEnvironment({ SCANGATE_WINDOW_MS: '' })).toThrow('Settings: SCANGATE_WINDOW_MS is empty.');
    expect(() => withEnvironment({ SCANGATE_WINDOW_MS: '1.5' })).toThrow(
      'Settings: SCANGATE_WINDOW_MS is "1.5", which is not a whole number.',
    );
    expect(() => withEnvironment({ SCANGATE_DATA_DIR: '/data' })).toThrow('Settings: SCANGATE_DATA_DIR is not a setting.');
    expect(() => withEnvironment({ SCANGATE___PROTO__: '1' })).toThrow('Settings: SCANGATE___PROTO__ is not a setting.');
  });

  test.each([
    [{ slow: { scanners: ['A'], window_ms: 0 } }, 'scanner_classes.slow.window_ms must be >= 1'],
    [{ slow: { scanners: ['A'], window_ms: null } }, 'scanner_classes.slow.window_ms must be integer'],
    [{ slow: { scanners: ['A'], window_ms: '1000' } }, 'scanner_classes.slow.window_ms must be integer'],
    [{ slow: { scanners: ['A'], windowMs: 1 } }, 'scanner_classes.slow.windowMs is not a setting'],
    [{ slow: { scanners: ['A'], port: 1 } }, 'scanner_classes.slow.port is not a setting'],
    [{ slow: { scanners: 'A' } }, 'scanner_classes.slow.scanners must be array'],
    [{ slow: { scanners: [''] } }, 'scanner_classes.slow.scanners.0 must match pattern "^(?:[^*]+\\*?|\\*)$"'],
    [{ slow: { scanners: ['A*B'] } }, 'scanner_classes.slow.scanners.0 must match pattern "^(?:[^*]+\\*?|\\*)$"'],
    [{ slow: {} }, 'scanner_classes.slow must have required properties scanners'],
    [{ 'Slow One': { scanners: ['A'] } }, 'scanner_classes.Slow One is not a setting'],
  ])('in the class %j is refused', (scanner_classes, sentence) => {
    expect(() => classes(scanner_classes)).toThrow(`Settings: ${sentence}.`);
  });
});

describe('the longest life of a claim', () => {
  const longest = (scanner_classes: unknown) =>
    claimMsMaxOf(withFlags({ window_ms: '3000', guard_ms: '500', scanner_classes: JSON.stringify(scanner_classes) }));

  test('is that of the settings where no class has a longer one', () => {
    expect(longest({})).toBe(3_500);
    expect(longest({ quick: { scanners: ['A'], window_ms: 1_000 } })).toBe(3_500);
  });

  test('is that of the class that has the largest sum, with what it takes from the whole', () => {
    const slow = { scanners: ['A'], window_ms: 5_000 };
    expect(longest({ slow })).toBe(5_500);
    expect(longest({ slow, guarded: { scanners: ['B'], guard_ms: 9_000 } })).toBe(12_000);
  });
});

describe('the class of a scanner', () => {
  const policy = scannerPolicyOf(
    loadConfig({
      flags: {
        window_ms: '3000',
        guard_ms: '700',
        scanner_classes: JSON.stringify({
          bluetooth: { scanners: ['BT-*', 'OLD-1'], window_ms: 1_000 },
          unique: { scanners: ['BT-9', 'UNI-*'], distinct_ids: 'trust', guard_ms: 0, review_gap_ms: 5 },
        }),
      },
      environment: {},
    }),
  );

  test.each(['BT-', 'BT-9', 'BT-A', 'OLD-1'])(
    '%s is in the first one that lists it, with what it does not say from the whole',
    (id) => {
      expect(policy(id, 'site')).toEqual({
        name: 'bluetooth',
        windowMs: 1_000,
        guardMs: 700,
        distinctIds: 'ignore',
        reviewGapMs: 400,
      });
    },
  );

  test('may trust its ids', () => {
    expect(policy('UNI-1', 'site')).toEqual({
      name: 'unique',
      windowMs: 3_000,
      guardMs: 0,
      distinctIds: 'trust',
      reviewGapMs: 5,
    });
  });

  test.each(['BT', 'bt-1', 'OLD-11', 'XBT-1'])('%s is in none of them', (id) => {
    expect(policy(id, 'site')).toMatchObject({ name: 'default', windowMs: 3_000 });
  });
});
