/**
 * Repair of text that a scanner typed through a keyboard of another layout, or with caps lock on. Per scanner, never automatic: digits and
 * check digits do not reveal it.
 */
export const keyboardLayouts = ['us', 'uk', 'fr-azerty', 'fr-azerty-digits'] as const;
export type KeyboardLayout = (typeof keyboardLayouts)[number];

/** Pairs of what the host typed and what the scanner meant. */
const azertyDigits = `&1é2"3'4(5-6§6è7_8ç9à0`;
const azertyShiftedDigits = '1!2@3#4$5%6^7&8*9(0)°_)-';
const azertyLetters = 'aqqazwwzAQQAZWWZm;M:,m?M;,.<:./>!/ù\'%"$]£}^[¨{*\\µ|';
const ukSwaps = `"@@"£##\\~|`;

const repairs: Readonly<Record<KeyboardLayout, ReadonlyMap<string, string>>> = {
  us: new Map(),
  uk: pairs(ukSwaps),
  'fr-azerty': pairs(azertyShiftedDigits + azertyLetters + azertyDigits),
  'fr-azerty-digits': pairs(azertyDigits),
};

export function repairLayout(text: string, layout: KeyboardLayout): string {
  const repair = repairs[layout];
  return [...text].map((character) => repair.get(character) ?? character).join('');
}

/** What was typed with caps lock on: capitals were small letters, and the reverse. */
export function invertCase(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

function pairs(text: string): Map<string, string> {
  const characters = [...text];
  return new Map(characters.flatMap((typed, index) => (index % 2 === 0 ? [[typed, characters[index + 1] ?? ''] as const] : [])));
}
