import { describe, expect, it } from 'vitest';
import { type Facts, factsOf, policyCases } from '../../../support/decode-cases.ts';
import { refusalOf, wireScan } from '../../../support/scans.ts';

/** A choice of ours where standards and good readers differ. docs/decisions/barcode-policies.md says why at more length. */
interface Choice {
  readonly why: string;
  readonly understood: Facts;
}

const package12 = { result: 'ok', ndc11: '00406051201', gtin14: '00304060512016', lot: 'AB12' };
const wholePackage = { ...package12, serial: 'SN12345', expiry: '2026-12-31', carrier: 'gs1_element_string' };
const byProfile: Choice = {
  why: 'the profile of the scanner says that this text stands for the separator',
  understood: { ...wholePackage, flags: [] },
};

const choices: Readonly<Record<string, Choice>> = {
  'gs1-aim-and-leading-gs': {
    why: 'a separator before the first element says nothing',
    understood: { ...package12, flags: [] },
  },
  'gs1-double-gs': { why: 'an element may be lost between them', understood: { result: 'reject', reason: 'empty_element' } },
  'gs1-dup-ai-same': { why: 'a repeat does not contradict', understood: { ...package12, flags: [] } },
  'fnc1-missing-bark29': { why: 'nothing is guessed', understood: { result: 'reject', reason: 'ai_too_long' } },
  'fnc1-swift25-spaces': {
    why: 'a space is a separator only where the profile says so',
    understood: { result: 'reject', reason: 'ai_too_long' },
  },
  odoo118144: { why: 'eight digits fit several codes', understood: { result: 'reject', reason: 'wrong_length' } },
  ocawms1248: { why: 'as an element string it is a lot without a product', understood: { result: 'ok', lot: 'D9T', flags: [] } },
  'sep-lit-GS': byProfile,
  'sep-fnc1-word': byProfile,
  'sep-c1-inside': byProfile,
  'sep-ctrl-bracket-caret': byProfile,
  'sep-rs': byProfile,
  'sep-fs': byProfile,
  'sep-underscore': byProfile,
  'sep-alt029': { why: 'digits could be data', understood: { result: 'reject', reason: 'ai_too_long' } },
  'hri-aim': {
    why: 'the brackets leave no doubt',
    understood: { result: 'ok', gtin14: '04012345678901', carrier: 'gs1_bracketed' },
  },
  'aim-d1-plain': { why: 'many labels are made so', understood: { ...package12, flags: ['not_gs1_symbology'] } },
  'aim-unknown': { why: 'three characters are not data', understood: { result: 'reject', reason: 'unknown_symbology' } },
  android451: { why: 'the symbol says that it is GS1', understood: { result: 'reject', reason: 'unknown_ai' } },
  'dl-epcis192-bad': {
    why: 'the serial would be lost in silence',
    understood: { result: 'reject', reason: 'bad_qualifier_order' },
  },
  'dl-gtin8-13': {
    why: 'zeros in front change no GTIN',
    understood: { result: 'ok', gtin14: '09520123456788', flags: ['zero_suppressed_gtin'] },
  },
  'ean8-vs-upce': { why: 'eight digits fit several codes', understood: { result: 'reject', reason: 'wrong_length' } },
  'gtin-all-zero': { why: 'zeros name no product', understood: { result: 'reject', reason: 'placeholder_gtin' } },
  'hibc-lower': { why: 'repair is for the profile', understood: { result: 'reject', reason: 'bad_charset' } },
  'ndc-12': {
    why: 'in the field of an NDC it is one',
    understood: { result: 'ok', ndc11: '00406051201', ndc12: '000406051201' },
  },
  'ndc-jammed': { why: 'digits run into other text', understood: { result: 'reject', reason: 'bad_ndc_format' } },
  'ndc-unicode-hyphen': { why: 'it can be nothing else', understood: { result: 'ok', ndc11: '00406051201' } },
  'ndc-en-dash': { why: 'it can be nothing else', understood: { result: 'ok', ndc11: '00406051201' } },
  'ndc-zero': { why: 'zeros name no product', understood: { result: 'reject', reason: 'placeholder_ndc' } },
  'kbd-fr-166': { why: 'the profile says which keys were mistaken', understood: { result: 'ok', value: 'HA112' } },
};

const barcodes = policyCases.filter(({ kind }) => kind !== 'transport');

describe('a barcode on which good readers differ', () => {
  it('is one of thirty, beside three of transports, and each has a choice', () => {
    expect(policyCases.filter(({ kind }) => kind === 'transport')).toHaveLength(3);
    expect(Object.keys(choices)).toHaveLength(30);
    expect(barcodes.map(({ id }) => id).toSorted()).toEqual(Object.keys(choices).toSorted());
  });

  it.each(barcodes.map((barcode) => ({ barcode, id: barcode.id, ...choices[barcode.id] })))(
    'is read as documented, because $why: $id',
    ({ barcode, understood = { result: 'undecided' } }) => {
      expect(factsOf(barcode)).toMatchObject(understood);
    },
  );

  it.each(barcodes.filter(({ context }) => context?.separatorAlias !== undefined))(
    'is not read as that package where the profile names no separator: $id',
    (barcode) => {
      const { refDate = '2026' } = barcode.context ?? {};

      expect(factsOf({ ...barcode, context: { refDate } })).toMatchObject({ result: 'reject' });
    },
  );

  it('is no scan if all that it names is a lot', () => {
    expect(refusalOf(wireScan({ ndc: undefined, lot_number: undefined, barcode: '10D9T' })).rejection).toMatchObject({
      code: 'SG_PRODUCT_MISSING',
      reason: 'no_product',
    });
  });

  it('says of small letters in HIBC that caps lock may be on', () => {
    const lower = barcodes.find(({ id }) => id === 'hibc-lower');

    expect(lower && factsOf(lower)['message']).toContain('Is caps lock on?');
    expect(lower && factsOf({ ...lower, context: { capsLock: true } })).toMatchObject({ lic: 'A123', pcn: 'BJC5D6E7' });
  });

  it('has spaces as separators where the profile says so', () => {
    const spaced = barcodes.find(({ id }) => id === 'fnc1-swift25-spaces');

    expect(spaced && factsOf({ ...spaced, context: { refDate: '2026-11-29', separatorAlias: ' ' } })).toMatchObject({
      gtin14: '05600360015567',
      lot: 'J051P0171081P',
      serial: '0RP7FW9KXP',
      expiry: '2024-09-30',
    });
  });
});
