import { describe, expect, it } from 'vitest';
import { commands as makersByName } from '../../../src/cli/commands.ts';
import { configKeys } from '../../../src/service/config.ts';
import { pageAt, tableUnder } from './markdown.ts';

const page = pageAt('docs/reference/cli.md');

/** Each command, and each of the commands below one, by its whole name. */
const commands = (await Promise.all([...makersByName.values()].map((make) => make()))).flatMap((command) =>
  command.commands.length === 0
    ? [{ name: command.name(), command }]
    : command.commands.map((below) => ({ name: `${command.name()} ${below.name()}`, command: below })),
);

const settingFlags = new Set(configKeys.map((key) => `--${key.replaceAll('_', '-')} <value>`));

describe('docs/reference/cli.md', () => {
  it('lists the commands with their description', () => {
    const expected = commands.map(({ name, command }) => ({
      Command: `scangate ${name}`,
      'What it does': command.description(),
    }));
    expect(tableUnder(page, 'Commands')).toEqual(expected);
    expect(commands.length).toBeGreaterThan(3);
  });

  it.each(commands.map(({ name, command }) => [name, command] as const))('lists what %s takes', (name, command) => {
    const args = command.registeredArguments.map((argument) => ({
      Option: argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
      'What it is': argument.description,
    }));
    const options = command.options
      .filter(({ flags }) => !settingFlags.has(flags))
      .map(({ flags, description }) => ({ Option: flags, 'What it is': description }));
    expect(tableUnder(page, `scangate ${name}`)).toEqual([...args, ...options]);
  });

  it.each(commands.map(({ name, command }) => [name, command] as const))('says which settings %s takes', (name, command) => {
    const flags = command.options.map((option) => option.flags).filter((option) => settingFlags.has(option));
    const section = page.text.split(/^### /m).find((text) => text.startsWith(`scangate ${name}\n`)) ?? '';
    const said = /^Settings: (.*)\.$/m.exec(section)?.[1] ?? '';
    const all = flags.length === settingFlags.size;
    expect(said).toBe(all ? 'all' : flags.map((option) => `\`${option}\``).join(', '));
  });
});
