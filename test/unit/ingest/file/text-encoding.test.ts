import { describe, expect, it } from 'vitest';
import { decoderOf, detectEncoding } from '../../../../src/ingest/file/text-encoding.ts';

describe('the encoding of a file', () => {
  it.each([
    ['utf-8', [0xef, 0xbb, 0xbf], 3],
    ['utf-16le', [0xff, 0xfe, 0x41], 2],
    ['utf-16be', [0xfe, 0xff, 0x00], 2],
  ] as const)('is %s when its byte-order mark says so, whatever was asked for', (encoding, bytes, markBytes) => {
    expect(detectEncoding(Uint8Array.from(bytes), undefined)).toEqual({ encoding, markBytes });
    expect(detectEncoding(Uint8Array.from(bytes), 'windows-1252')).toEqual({ encoding, markBytes });
  });

  it('is UTF-8, or what was asked for, without a mark', () => {
    expect(detectEncoding(Buffer.from('abc'), undefined)).toEqual({ encoding: 'utf-8', markBytes: 0 });
    expect(detectEncoding(Buffer.from('a'), 'utf-16be')).toEqual({ encoding: 'utf-16be', markBytes: 0 });
    expect(detectEncoding(new Uint8Array(0), 'windows-1252')).toEqual({ encoding: 'windows-1252', markBytes: 0 });
  });
});

describe('a decoder', () => {
  it('reads text of its encoding', () => {
    expect(decoderOf('utf-8')(Buffer.from([0x50, 0xc3, 0xa9, 0xf0, 0x9f, 0x92, 0x8a]))).toBe('Pé💊');
    expect(decoderOf('utf-16le')(Buffer.from([0x50, 0x00, 0xe9, 0x00]))).toBe('Pé');
    expect(decoderOf('utf-16be')(Buffer.from([0x00, 0x50, 0x00, 0xe9]))).toBe('Pé');
    expect(decoderOf('windows-1252')(Buffer.from([0x50, 0xe9, 0x96, 0x97, 0x80, 0x9f, 0x7f]))).toBe('Pé–—€Ÿ\x7f');
  });

  it.each([
    ['utf-8', 'a byte of Windows-1252', [0x41, 0xe9]],
    ['utf-8', 'a character that is cut off', [0x41, 0xe2, 0x82]],
    ['utf-8', 'half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['utf-8', 'an overlong form', [0xc0, 0xaf]],
    ['utf-16le', 'half of a surrogate pair', [0x00, 0xd8, 0x41, 0x00]],
    ['utf-16be', 'half of a unit', [0x00, 0x41, 0x00]],
    ['windows-1252', 'a byte that means nothing', [0x41, 0x81]],
  ] as const)('of %s does not make text of %s', (encoding, _what, bytes) => {
    expect(decoderOf(encoding)(Uint8Array.from(bytes))).toBeUndefined();
  });

  it('can be used again after what was no text', () => {
    const decode = decoderOf('utf-8');
    expect(decode(Uint8Array.from([0xe2, 0x82]))).toBeUndefined();
    expect(decode(Buffer.from('after'))).toBe('after');
  });
});
