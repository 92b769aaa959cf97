import { describe, expect, it, test } from 'vitest';
import { type ListedTexts, readListing, unitsIn } from '../../../src/directory/read-listing.ts';

/** Meperidine of Hikma, as one of the public lists has it. */
const meperidine: ListedTexts = {
  ndc: '00641-6052-25',
  name: 'Meperidine',
  packageForm: 'INJECTION, 25 mg/mL',
  schedule: 'CII',
  unitsPerContainer: '25',
};

function listed(changes: Partial<ListedTexts>) {
  return readListing({ ...meperidine, ...changes });
}

test('a listed package is what it says, under its NDC in twelve digits', () => {
  expect(listed({})).toEqual({
    ok: true,
    value: {
      ndc12: '000641605225',
      dea_schedule: 'CII',
      product_name: 'Meperidine',
      package_form: 'INJECTION, 25 mg/mL',
      units_per_container: '25',
    },
  });
});

describe('the NDC of a listed package', () => {
  it.each([
    ['4-4-2', '0093-5732-01', '000093573201', '0093573201'],
    ['5-3-2', '60274-610-01', '060274061001', '6027461001'],
    ['5-4-1', '11014-0080-1', '011014008001', '1101400801'],
    ['5-4-2', '63323-0723-03', '063323072303', undefined],
    ['6-4-2', '100000-1234-56', '100000123456', undefined],
    ['eleven digits', '00093573201', '000093573201', undefined],
    ['twelve digits', '000093573201', '000093573201', undefined],
    ['ten digits of which the first is 0', '0093573201', '000093573201', undefined],
    ['white space around it', ' 0591-0240-00 ', '000591024000', '0591024000'],
  ])('of the form %s is read', (_form, ndc, ndc12, ndc10) => {
    const read = listed({ ndc });
    expect(read.ok && [read.value.ndc12, read.value.ndc10]).toEqual([ndc12, ndc10]);
  });

  it.each([
    ['ten digits that fit two NDCs', '6332372303'],
    ['a product without a package', '50458-513'],
    ['a number that a spreadsheet has damaged', '9.35732E+08'],
    ['zeros alone', '0000-0000-00'],
    ['nothing', ''],
    ['words', 'Advil'],
  ])('is refused as %s, with a sentence', (_what, ndc) => {
    const read = listed({ ndc });
    expect(read.ok).toBe(false);
    expect(!read.ok && read.error).toMatch(/^".*[a-z].*\.$/s);
  });
});

describe('a schedule', () => {
  it.each([
    ['CI', 'CI'],
    ['CII', 'CII'],
    ['CIII', 'CIII'],
    ['CIV', 'CIV'],
    ['CV', 'CV'],
    ['C-I', 'CI'],
    ['C-II', 'CII'],
    ['C-III', 'CIII'],
    ['C-IV', 'CIV'],
    ['C-V', 'CV'],
    ['I', 'CI'],
    ['II', 'CII'],
    ['III', 'CIII'],
    ['IV', 'CIV'],
    ['V', 'CV'],
    ['1', 'CI'],
    ['2', 'CII'],
    ['3', 'CIII'],
    ['4', 'CIV'],
    ['5', 'CV'],
    ['c-ii', 'CII'],
    [' cii ', 'CII'],
    ['C2', 'CII'],
    ['none', 'none'],
    ['None', 'none'],
    ['0', 'none'],
  ])('that is written %s is %s', (schedule, expected) => {
    const read = listed({ schedule });
    expect(read.ok && read.value.dea_schedule).toBe(expected);
  });

  it.each(['', ' ', '6', 'C', 'CVI', 'IIII', 'C--II', 'CII-CIII', 'unknown', 'Rx', 'N/A', '2.0', '22'])(
    'is not guessed from "%s"',
    (schedule) => {
      const read = listed({ schedule });
      expect(read.ok).toBe(false);
      expect(!read.ok && read.error).toMatch(/schedule.*\.$/i);
    },
  );
});

describe('what a list leaves out', () => {
  it('is not there', () => {
    expect(listed({ name: ' ', packageForm: '', unitsPerContainer: '' })).toEqual({
      ok: true,
      value: { ndc12: '000641605225', dea_schedule: 'CII' },
    });
  });

  it.each(['ten', '-1', '1,000', '1e3', '1.1234567'])('is not made up of the units "%s"', (unitsPerContainer) => {
    expect(listed({ unitsPerContainer })).toEqual({
      ok: false,
      error: `"${unitsPerContainer}" is no number of units in a container.`,
    });
  });
});

describe('the units that a description of FDA counts', () => {
  it.each([
    ['100 TABLET in 1 BOTTLE', '100'],
    ['10 BLISTER PACK in 1 CARTON > 10 TABLET in 1 BLISTER PACK', '100'],
    ['10 BLISTER PACK in 1 CARTON (0093-5732-01)  > 10 TABLET in 1 BLISTER PACK (0093-5732-19)', '100'],
    ['1 BOTTLE in 1 CARTON / 30 CAPSULE, EXTENDED RELEASE in 1 BOTTLE', '30'],
    ['2 TRAY in 1 CASE / 5 CARTON in 1 TRAY > 4 VIAL, SINGLE-DOSE in 1 CARTON', '40'],
    ['25 VIAL in 1 CARTON > 1.5 mL in 1 VIAL', '37.5'],
    ['10 SYRINGE in 1 CARTON > .5 mL in 1 SYRINGE', '5'],
    ['.1 mL in 1 AMPULE', '0.1'],
    ['25 kg in 1 DRUM', '25'],
  ])('of "%s" are %s', (description, units) => {
    expect(unitsIn(description)).toBe(units);
  });

  it.each([
    ['', 'nothing'],
    ['TABLET', 'a word'],
    ['10 BLISTER PACK in 1 CARTON > some TABLET in 1 BLISTER PACK', 'a level without a number'],
    ['999999 BOTTLE in 1 CASE > 999999 TABLET in 1 BOTTLE', 'more than there can be'],
  ])('of "%s" are not guessed from %s', (description) => {
    expect(unitsIn(description)).toBe('');
  });
});
