import { Command } from 'commander';
import { expect, test } from 'vitest';
import { settingsOf, withSettings } from '../../../src/cli/settings.ts';
import { type ConfigKey, configKeys } from '../../../src/service/config.ts';

function read(args: readonly string[], keys?: readonly ConfigKey[]) {
  const command = withSettings(new Command('test').exitOverride().configureOutput({ writeErr: () => undefined }), keys);
  command.parse(args, { from: 'user' });
  return settingsOf(command);
}

test('every setting is a flag, whose name is that of the setting with hyphens', () => {
  const command = withSettings(new Command('test'));
  const flags = command.options.map(({ long }) => long);
  expect(flags).toEqual(['--config', ...configKeys.map((key) => `--${key.replaceAll('_', '-')}`)]);
  expect(read(['--captured-age-ms-max', '5', '--body-bytes-max', '2048', '--data', 'x'])).toMatchObject({
    captured_age_ms_max: 5,
    body_bytes_max: 2_048,
    data: 'x',
  });
});

test('a flag that is given twice counts with its last value', () => {
  expect(read(['--port', '1', '--port', '2']).port).toBe(2);
});

test('a command takes the flags that it is given, and no other', () => {
  expect(read(['--data', 'x'], ['data']).data).toBe('x');
  expect(() => read(['--port', '1'], ['data'])).toThrow("unknown option '--port'");
});

test('the help of a flag names its default', () => {
  const help = withSettings(new Command('test')).helpInformation().replaceAll(/\s+/g, ' ');
  expect(help).toContain('--window-ms <value> How long two scans of one content are one physical scan. (default: 3000)');
  expect(help).toContain('--scanner-classes <value> Classes of scanners with settings of their own');
});
