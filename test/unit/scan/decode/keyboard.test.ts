import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';
import { invertCase, repairLayout } from '../../../../src/scan/decode/keyboard.ts';
import type { ScannerProfile } from '../../../../src/scan/decode/profile.ts';

function read(text: string, profile: ScannerProfile): Readonly<Record<string, unknown>> {
  const reading = decodeBarcode(text, { scanYear: 2026, profile });
  return reading.ok ? { ...reading.value } : { reason: reading.error.reason };
}

describe('the repair of a keyboard layout', () => {
  it('turns what a French host typed into what the scanner meant', () => {
    // The keys of a US keyboard, unshifted and shifted, as a French host types them.
    expect(repairLayout('&é"\'(§è!çà', 'fr-azerty').slice(0, 5)).toBe('12345');
    expect(repairLayout('azertyuiopqsdfghjklmwxcvbn', 'fr-azerty')).toBe('qwertyuiopasdfghjkl;zxcvbn');
    expect(repairLayout('AZERTYUIOPQSDFGHJKLMWXCVBN', 'fr-azerty')).toBe('QWERTYUIOPASDFGHJKL:ZXCVBN');
    expect(repairLayout('1234567890', 'fr-azerty')).toBe('!@#$%^&*()');
  });

  it('leaves letters alone where only the digits were typed otherwise', () => {
    expect(repairLayout('AZ&é', 'fr-azerty-digits')).toBe('AZ12');
  });

  it('swaps the two keys in which a British keyboard differs, and changes nothing of a US one', () => {
    expect(repairLayout('"@', 'uk')).toBe('@"');
    expect(repairLayout('aZ09"@#', 'us')).toBe('aZ09"@#');
  });
});

describe('the repair of caps lock', () => {
  it('turns the case of every letter, and nothing else', () => {
    expect(invertCase('aBc-09_é')).toBe('AbC-09_é');
    expect(invertCase(invertCase('aBc-09'))).toBe('aBc-09');
  });
});

describe('a profile of a scanner', () => {
  const french = 'à&àà"à\'à§à(&éà&§&àQB&é';

  it('repairs nothing that it does not name', () => {
    expect(read(french, {})).toEqual({ reason: 'bad_charset' });
    expect(read('010030406051201610ab12', {})).toMatchObject({ lotNumber: 'ab12', flags: [] });
    expect(read('010030406051201621A#10B', {})).toEqual({ reason: 'bad_charset' });
  });

  it('repairs what it names, and the reading says so', () => {
    expect(read('010030406051201610ab12', { capsLock: true })).toMatchObject({ lotNumber: 'AB12', flags: ['label_repaired'] });
    expect(read(french, { keyboardLayout: 'fr-azerty' })).toMatchObject({
      gtin14: '00304060512016',
      lotNumber: 'AB12',
      flags: ['label_repaired'],
    });
  });

  it('takes a prefix and a suffix off, where they are', () => {
    const profile = { prefix: 'S1:', suffix: '~' };

    for (const text of ['S1:]d20100304060512016~', 'S1:0100304060512016~\r\n', ' S1:0100304060512016', '0100304060512016~'])
      expect(read(text, profile)).toMatchObject({ gtin14: '00304060512016' });
    expect(read('S2:0100304060512016', profile)).toEqual({ reason: 'unknown_ai' });
  });

  it('has more than one text that stands for the separator', () => {
    const profile = { separatorAliases: ['<GS>', '{GS}', '|', '^]', ''] };

    for (const alias of ['<GS>', '{GS}', '|', '^]', '\u001d'])
      expect(read(`010030406051201621SN1${alias}10AB12${alias}`, profile)).toMatchObject({
        serialNumber: 'SN1',
        lotNumber: 'AB12',
      });
  });

  it('says what eight digits are', () => {
    expect(read('12345670', { eightDigits: 'gtin8' })).toMatchObject({ gtin14: '00000012345670' });
    expect(read('07838604', { eightDigits: 'upce' })).toMatchObject({ gtin14: '00078000003864' });
    expect(read('12345671', { eightDigits: 'gtin8' })).toEqual({ reason: 'bad_check_digit' });
    expect(read('27838604', { eightDigits: 'upce' })).toEqual({ reason: 'wrong_length' });
  });
});
