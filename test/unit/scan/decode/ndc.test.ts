import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';
import { ndc10Candidates, readNdc, shortForms } from '../../../../src/scan/ndc.ts';

describe('an NDC', () => {
  // Listed by the FDA as in the first column.
  it.each([
    ['49812-0113-1', '49812011301'],
    ['11014-0080-1', '11014008001'],
    ['60274-610-01', '60274061001'],
    ['00641-6052-25', '00641605225'],
    ['00143-9391-10', '00143939110'],
    ['0143-9391-10', '00143939110'],
    ['63323-0723-03', '63323072303'],
    ['63323-723-03', '63323072303'],
    ['54092-381-01', '54092038101'],
    ['0093-5732-01', '00093573201'],
    ['11071-902-01', '11071090201'],
    ['67433-006-99', '67433000699'],
    ['0228-2027-00', '00228202700'],
    ['0591-0240-00', '00591024000'],
    ['12719-0058-8', '12719005808'],
    ['36998-1810-0', '36998181000'],
    ['0002-0800-01', '00002080001'],
    ['12345-*678-09', '12345067809'],
    ['*0406-0512-01', '00406051201'],
    ['17359-0123-*4', '17359012304'],
    ['NDC 0406-0512-01', '00406051201'],
    ['ndc: 0406-0512-01', '00406051201'],
  ])('%s is %s in eleven digits', (text, ndc11) => {
    expect(readNdc(text)).toEqual({ ok: true, value: { ndc11, ndc12: `0${ndc11}` } });
  });

  it('has twelve digits of which each segment is padded, and eleven while its labeler has five', () => {
    expect(readNdc('000406-0512-01')).toEqual({ ok: true, value: { ndc11: '00406051201', ndc12: '000406051201' } });
    expect(readNdc('100000-0512-01')).toEqual({ ok: true, value: { ndc12: '100000051201' } });
  });

  it('of ten digits is told only by a first 0 or by the directory', () => {
    const directory = (ndc10: string): string | undefined => (ndc10 === '6745715303' ? '67457015303' : undefined);

    expect(readNdc('0406051201')).toMatchObject({ ok: true, value: { ndc11: '00406051201' } });
    expect(readNdc('6745715303', directory)).toMatchObject({ ok: true, value: { ndc11: '67457015303' } });
    expect(readNdc('6745715304', directory)).toMatchObject({ ok: false, error: { reason: 'ndc10_format_unknown' } });
    // 86055-0010-1 is on the list, and so is 86055-0001-1, which the other reading of its digits gives.
    expect(readNdc('8605500101')).toMatchObject({ ok: false, error: { candidates: ['86055000101', '86055001001'] } });
  });

  it.each(['12345-*68-09', '*406-0512-01', '*1234-*678-09', '1234*-678-90', '12345-67*-09'])('has no star as in %s', (text) => {
    expect(readNdc(text)).toMatchObject({ ok: false, error: { reason: 'bad_ndc_format' } });
  });

  it.each(['0000-0000-00', '00000000000', '000000-0000-00', '0', '-', '*****-****-**'])('is not the placeholder %s', (text) => {
    expect(readNdc(text)).toMatchObject({ ok: false, error: { reason: 'placeholder_ndc' } });
  });

  it.each(['0406-0512', '10544-591', '100000-0512'])('is not that of a product without its package: %s', (text) => {
    expect(readNdc(text)).toMatchObject({ ok: false, error: { reason: 'not_a_package_ndc' } });
  });

  it('has the forms of ten digits from which one zero of padding was left out', () => {
    // 0406-0512-01; 67457-153-03 and 67457-0153-3; 12345-6789-0; none of 63323-7231-13.
    expect(shortForms('00406051201')).toEqual(['0406051201']);
    expect(shortForms('67457015303')).toEqual(['6745715303', '6745701533']);
    expect(shortForms('12345678900')).toEqual(['1234567890']);
    expect(shortForms('63323723113')).toEqual([]);
    expect(ndc10Candidates('6745715303')).toEqual(['67457015303', '67457153003']);
    expect(ndc10Candidates('0406051201')).toEqual(['00406051201']);
  });
});

describe('the NDC of AI 715', () => {
  const read = (text: string): Readonly<Record<string, unknown>> => {
    const reading = decodeBarcode(text, { scanYear: 2026 });
    return reading.ok ? { ...reading.value } : { reason: reading.error.reason };
  };

  it('is that of the GTIN beside it, if that holds one', () => {
    expect(read(']d20100304060512016715000406051201')).toMatchObject({ gtin14: '00304060512016', ndc12: '000406051201' });
    expect(read(']d20100304060512016715000406051202')).toEqual({ reason: 'contradiction' });
    expect(read(']d2010036745715303271567457015303')).toMatchObject({ ndc11: '67457015303' });
  });

  it('is that of a GTIN that holds none, such as one of a labeler of six digits', () => {
    expect(read(']d20106291041500213715100000051201')).toMatchObject({
      gtin14: '06291041500213',
      ndc11: undefined,
      ndc12: '100000051201',
    });
    expect(read(']d2010629104150021371500406051201')).toMatchObject({ gtin14: '06291041500213', ndc11: '00406051201' });
  });

  it('is refused where it is none', () => {
    expect(read(']d2715ABC')).toEqual({ reason: 'bad_ndc_format' });
    expect(read(']d27156745715303')).toEqual({ reason: 'ndc10_format_unknown' });
  });
});

it('refuses a UPC-A in the place of an NDC, which its check digit gives away', () => {
  expect(readNdc('304060512016')).toMatchObject({ ok: false, error: { reason: 'bad_ndc_format' } });
  expect(readNdc('304060512017')).toEqual({ ok: true, value: { ndc12: '304060512017' } });
});
