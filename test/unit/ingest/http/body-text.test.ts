import { describe, expect, test } from 'vitest';
import { collect, decodeUtf8, type Line, linesOf } from '../../../../src/ingest/http/body-text.ts';

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function* breakingOff(...texts: readonly string[]): AsyncGenerator<Buffer> {
  yield* chunksOf(...texts);
  throw new Error('gone');
}

async function read(chunks: AsyncIterable<Buffer>, bytesMax = 10): Promise<[string, boolean, unknown?][]> {
  const lines: Line[] = [];
  for await (const line of linesOf(chunks, bytesMax)) lines.push(line);
  return lines.map(({ bytes, truncated, error }) =>
    error === undefined ? [bytes.toString(), truncated] : [bytes.toString(), truncated, error],
  );
}

describe('lines', () => {
  test('are the same however the text is cut into chunks', async () => {
    const text = 'one\ntwo\r\n\n  \nthree\n';
    for (let size = 1; size <= text.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
      expect(await read(chunksOf(...chunks))).toEqual([
        ['one', false],
        ['two\r', false],
        ['three', false],
      ]);
    }
  });

  test('the last one needs no line feed, and nothing gives none', async () => {
    expect(await read(chunksOf('one\ntw', 'o'))).toEqual([
      ['one', false],
      ['two', false],
    ]);
    expect(await read(chunksOf())).toEqual([]);
    expect(await read(chunksOf('\n', ' \r\n'))).toEqual([]);
  });

  test('one that is too long is cut, and those after it are whole', async () => {
    expect(await read(chunksOf('0123456789\n01234567', '89x\n', `${'y'.repeat(100)}`, '\nshort\n'))).toEqual([
      ['0123456789', false],
      ['0123456789', true],
      ['yyyyyyyyyy', true],
      ['short', false],
    ]);
  });

  test('a body that breaks off ends with what there was of a line, and why', async () => {
    expect(await read(breakingOff('one\ntw'))).toEqual([
      ['one', false],
      ['tw', false, new Error('gone')],
    ]);
    expect(await read(breakingOff('one\n'))).toEqual([
      ['one', false],
      ['', false, new Error('gone')],
    ]);
  });
});

describe('a whole body', () => {
  test('is its chunks together, with the error that ended it', async () => {
    expect(await collect(chunksOf('a', 'b'))).toEqual({ bytes: Buffer.from('ab') });
    expect(await collect(breakingOff('a', 'b'))).toEqual({ bytes: Buffer.from('ab'), error: new Error('gone') });
  });
});

describe('UTF-8', () => {
  test('is read without a byte-order mark, and nothing else is made of bytes that are none', () => {
    expect(decodeUtf8(Buffer.from('\ufeffé€😀'))).toBe('é€😀');
    expect(decodeUtf8(Buffer.from([0x41, 0xe9]))).toBeUndefined();
    expect(decodeUtf8(Buffer.from([0xed, 0xa0, 0x80]))).toBeUndefined();
    expect(decodeUtf8(Buffer.from([0xc0, 0x80]))).toBeUndefined();
    expect(decodeUtf8(Buffer.alloc(0))).toBe('');
  });
});
