import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { importCommand } from '../../../src/cli/import.ts';
import { asDelimiter } from '../../../src/cli/option-values.ts';
import { reconcileCommand } from '../../../src/cli/reconcile.ts';

/** The value of `--delimiter` as the command reads it. */
function readBy(command: Command, text: string): unknown {
  const option = command.options.find(({ long }) => long === '--delimiter');
  return option?.parseArg?.(text, undefined);
}

describe('a delimiter', () => {
  it.each([
    ['tab', '\t'],
    ['\\t', '\t'],
    ['\t', '\t'],
    [';', ';'],
    ['|', '|'],
    [',', ','],
    ['t', 't'],
    ['¦', '¦'],
  ])('that is written as %j is %j, in import and in reconcile alike', (text, delimiter) => {
    expect(asDelimiter(text)).toBe(delimiter);
    expect(readBy(importCommand(), text)).toBe(delimiter);
    expect(readBy(reconcileCommand(), text)).toBe(delimiter);
  });

  it.each([[';;'], ['"'], [' '], [''], ['\n'], ['TAB'], ['\\n']])('is not %j', (text) => {
    for (const command of [importCommand(), reconcileCommand()]) {
      expect(() => readBy(command, text)).toThrow('it is one character or tab, and neither a quote nor a space.');
    }
  });
});
