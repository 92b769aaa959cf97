import { expect, it } from 'vitest';
import { commands, commandsFor } from '../../../src/cli/commands.ts';

/** Read before the tests: on a busy machine that takes longer than a test of this kind may. */
const all = await commandsFor('');

it('names each command as it names itself, in the order of the help', () => {
  const inOrder = ['serve', 'import', 'decode', 'directory', 'trace', 'explain', 'doctor', 'migrate', 'quarantine', 'verify'];
  expect(all.map((command) => command.name())).toEqual([...inOrder, 'reconcile', 'simulate']);
  expect([...commands.keys()]).toEqual([...inOrder, 'reconcile', 'simulate']);
});

it.each(['help', '--help', 'trase', 'constructor'])('reads all of them for %s, which names none', async (word) => {
  expect(await commandsFor(word)).toHaveLength(commands.size);
});

it('reads the one that is named', async () => {
  expect((await commandsFor('trace')).map((command) => command.name())).toEqual(['trace']);
});
