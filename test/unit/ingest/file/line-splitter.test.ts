import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../../src/ingest/file/line-splitter.ts';
import type { Encoding } from '../../../../src/ingest/file/text-encoding.ts';

/** Number and text of every line, of a file that is read in chunks of so many bytes. */
function linesOf(bytes: Uint8Array, chunkBytes: number, encoding: Encoding = 'utf-8', lineBytesMax = 1_000): [number, string][] {
  const splitter = new LineSplitter(encoding, lineBytesMax);
  const lines = [];
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) lines.push(...splitter.push(bytes.subarray(at, at + chunkBytes)));
  lines.push(...splitter.end());
  return lines.map(({ number, bytes: line, isCut }) => [number, Buffer.from(line).toString('latin1') + (isCut ? '…' : '')]);
}

describe('lines of bytes', () => {
  const mixed = Buffer.from('one\r\ntwo\nthree\rfour\n\rfive\r\r\nsix');
  const ofMixed = [
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
    [4, 'four'],
    [5, ''],
    [6, 'five'],
    [7, ''],
    [8, 'six'],
  ];

  it.each([1, 2, 3, 5, 100])('end with CR LF, LF or CR, wherever the chunks of %i bytes are cut', (chunkBytes) => {
    expect(linesOf(mixed, chunkBytes)).toEqual(ofMixed);
  });

  it('need no line end after the last one, and have none after it', () => {
    expect(linesOf(Buffer.from('a\nb'), 10)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(linesOf(Buffer.from('a\nb\n'), 10)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(linesOf(Buffer.from(''), 10)).toEqual([]);
  });

  it('leave out a Ctrl-Z at the end of the file, alone or after the last row', () => {
    expect(linesOf(Buffer.from('a\r\n\x1a'), 10)).toEqual([[1, 'a']]);
    expect(linesOf(Buffer.from('a\r\nb\x1a\x1a'), 10)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(linesOf(Buffer.from('a\x1ab\n'), 10)).toEqual([[1, 'a\x1ab']]);
  });

  it('keep only the beginning of one that is too long, and the next ones whole', () => {
    const long = Buffer.from(`${'x'.repeat(5_000_000)}\nshort\n`);
    const lines = linesOf(long, 65_536, 'utf-8', 8);
    expect(lines).toEqual([
      [1, 'xxxxxxxx…'],
      [2, 'short'],
    ]);
    expect(linesOf(Buffer.from('12345678\n123456789\n'), 4, 'utf-8', 8)).toEqual([
      [1, '12345678'],
      [2, '12345678…'],
    ]);
  });

  it.each([1, 2, 3, 64])('of UTF-16 end at whole units only, in chunks of %i bytes', (chunkBytes) => {
    // U+0A0D and U+0D0A hold the bytes of a line end.
    const text = '\u0a0d\r\n\u0d0a\nlast';
    const littleEndian = Buffer.from(text, 'utf16le');
    const bigEndian = Buffer.from(littleEndian).swap16();
    const decoded = (bytes: Buffer, encoding: Encoding): string[] => {
      const decoder = new TextDecoder(encoding);
      return linesOf(bytes, chunkBytes, encoding).map(([, line]) => decoder.decode(Buffer.from(line, 'latin1')));
    };
    expect(decoded(littleEndian, 'utf-16le')).toEqual(['\u0a0d', '\u0d0a', 'last']);
    expect(decoded(bigEndian, 'utf-16be')).toEqual(['\u0a0d', '\u0d0a', 'last']);
  });

  it('of UTF-16 keep half a unit at the end of the file, for the decoder to refuse', () => {
    expect(linesOf(Buffer.from([0x41, 0x00, 0x42]), 2, 'utf-16le')).toEqual([[1, 'A\0B']]);
  });
});
