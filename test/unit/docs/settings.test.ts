import { describe, expect, it } from 'vitest';
import { configKeys, configSchema, loadConfig } from '../../../src/service/config.ts';
import { pageAt, tableUnder } from './markdown.ts';

const page = pageAt('docs/reference/settings.md');

interface Setting {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

function valuesOf({ type, enum: words, minimum, maximum }: Setting): string {
  if (words !== undefined) return words.join(', ');
  if (type === 'boolean') return 'true, false';
  if (type === 'object') return 'object';
  if (type === 'array') return 'array';
  if (type !== 'integer') return 'text';
  return maximum === undefined ? `from ${minimum}` : `${minimum} to ${maximum}`;
}

describe('docs/reference/settings.md', () => {
  it('lists every setting, its flag, its variable, its default and what it may be', () => {
    const expected = configKeys.map((key) => {
      const setting = configSchema.properties[key] as Setting;
      return {
        Setting: key,
        Flag: `--${key.replaceAll('_', '-')}`,
        Environment: `SCANGATE_${key.toUpperCase()}`,
        Default: typeof setting.default === 'string' ? setting.default : JSON.stringify(setting.default),
        Values: valuesOf(setting),
        'What it is': setting.description,
      };
    });
    expect(tableUnder(page, 'Every setting')).toEqual(expected);
  });

  it('gives the defaults that are in force when nothing is set', () => {
    const config = loadConfig({ flags: {}, environment: {} });
    const shown = tableUnder(page, 'Every setting').map((row) => [row['Setting'], row['Default']]);
    const inForce = Object.entries(config).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    expect(shown).toEqual(inForce);
  });

  it('lists what a scanner class may set', () => {
    const { patternProperties = {} } = configSchema.properties.scanner_classes as {
      patternProperties?: Record<string, { properties: Record<string, Setting> }>;
    };
    const [fields = {}] = Object.values(patternProperties).map(({ properties }) => properties);
    const expected = Object.entries(fields).map(([Field, setting]) => ({ Field, Values: valuesOf(setting) }));
    const listed = tableUnder(page, 'Scanner classes').map(({ Field, Values }) => ({ Field, Values }));
    expect(listed).toEqual(expected);
    expect(listed.length).toBeGreaterThan(3);
  });

  it('shows a file that is taken as it stands', () => {
    const example = /```json\n(.*?)```/s.exec(page.text)?.[1] ?? '';
    const given = JSON.parse(example) as Record<string, unknown>;
    const flags = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
    expect(loadConfig({ flags, environment: {} })).toMatchObject(given);
  });
});
