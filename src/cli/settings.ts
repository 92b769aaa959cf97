import { type Command, Option } from 'commander';
import { type Config, type ConfigKey, configKeys, configSchema, loadConfig } from '../service/config.ts';

/** Gives a command the settings of the schema as flags. */
export function withSettings(command: Command, keys: readonly ConfigKey[] = configKeys): Command {
  command.option('--config <file>', 'JSON file with settings');
  for (const key of keys) {
    const { description = '', default: standard } = configSchema.properties[key] as { description?: string; default?: unknown };
    const shown = typeof standard === 'object' ? '' : ` (default: ${String(standard)})`;
    command.addOption(new Option(`--${key.replaceAll('_', '-')} <value>`, description + shown));
  }
  return command;
}

/** The settings of a command: its flags, the environment and the file. */
export function settingsOf(command: Command): Config {
  const given = command.opts<Record<string, string>>();
  const flags = Object.fromEntries(
    configKeys.flatMap((key) => {
      const text = given[key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
      return text === undefined ? [] : [[key, text]];
    }),
  );
  const { config: file } = given;
  return loadConfig({ flags, environment: process.env, ...(file !== undefined && { file }) });
}
