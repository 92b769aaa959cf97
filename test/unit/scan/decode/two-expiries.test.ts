import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';

describe('a symbol with AI 17 and AI 7003 of different days', () => {
  const [day, hour] = ['17270131', '70032612311430'];

  it.each([
    ['AI 17 first', `${day}${hour}`],
    ['AI 7003 first', `${hour}\u001d${day}`],
    ['AI 17 first, printed', '(17)270131(7003)2612311430'],
    ['AI 7003 first, printed', '(7003)2612311430(17)270131'],
    ['a lot between them', `${day}10AB12\u001d${hour}`],
    ['a lot between them, the other way round', `${hour}\u001d10AB12\u001d${day}`],
    ['a day that is the last of its month', `17270100${hour}`],
  ])('expires on the day of AI 7003, and shows both as they stand there: %s', (_how, text) => {
    const reading = decodeBarcode(text.startsWith('(') ? text : `]d2${text}`, { scanYear: 2026 });
    expect(reading).toMatchObject({ ok: true, value: { expirationDate: '2026-12-31', expirationTime: '14:30' } });
    const parts = reading.ok ? reading.value.parts.map(({ source, text: said }) => `${source} ${said}`) : [];
    expect(parts).toContain('AI 7003 2612311430');
    expect(parts.filter((part) => part.startsWith('AI 17 2701'))).toHaveLength(1);
  });

  it('is refused where either day is none of the calendar', () => {
    for (const text of [`17270231${hour}`, `${day}70032613011430`]) {
      expect(decodeBarcode(`]d2${text}`, { scanYear: 2026 })).toMatchObject({ ok: false, error: { reason: 'bad_date' } });
    }
  });
});
