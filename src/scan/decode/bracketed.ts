/** The printed form of an element string, with identifiers in brackets, as a person types it from a label. */
import type { Result } from '../../base/result.ts';
import { quoted } from '../rejection.ts';
import { applicationIdentifiers } from './ai-table.ts';
import { checkValue, type Gs1Element, withoutRepeats } from './element-string.ts';
import { type DecodeFault, refuse } from './reading.ts';

const bracket = /\((\d{2,4})\)/g;

export function isBracketed(text: string): boolean {
  return /^\(\d{2,4}\)/.test(text);
}

/** A bracket inside a value, as in a lot `L(2)A`, is data unless it holds an identifier of GS1. */
export function readBracketed(text: string, scanYear: number): Result<Gs1Element[], DecodeFault> {
  const marks = [...text.matchAll(bracket)].filter(({ index, 1: ai = '' }) => index === 0 || applicationIdentifiers().has(ai));
  const elements: Gs1Element[] = [];
  for (const [position, mark] of marks.entries()) {
    const [whole, ai = ''] = mark;
    const identifier = applicationIdentifiers().get(ai);
    if (identifier === undefined) return refuse('unknown_ai', `(${ai}) is not a GS1 application identifier.`);
    const start = mark.index + whole.length;
    const value = text.slice(start, marks[position + 1]?.index ?? text.length);
    const fault = checkValue(identifier, value, scanYear);
    if (fault !== undefined) return fault;
    elements.push({ source: identifier.source, ai, text: value, at: start });
  }
  if (elements.length === 0) return refuse('unknown_ai', `${quoted(text)} holds no GS1 application identifier.`);
  return withoutRepeats(elements);
}
