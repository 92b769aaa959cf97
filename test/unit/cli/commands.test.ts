import { expect, it } from 'vitest';
import { commands, commandsFor } from '../../../src/cli/commands.ts';

it('reads the one command that is named, and all of them for any other word', async () => {
  expect((await commandsFor('trace')).map((command) => command.name())).toEqual(['trace']);
  for (const word of ['', 'help', '--help', 'trase', 'constructor']) expect(await commandsFor(word)).toHaveLength(commands.size);
});

it.each([...commands])('names %s as it names itself', async (name, make) => {
  expect((await make()).name()).toBe(name);
});
