/**
 * Which encoding a file is in, and its bytes as text. A line that is not text in its encoding has none: the replacement character
 * never gets in, for it would make two different lots equal.
 */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

const byteOrderMarks: readonly { readonly encoding: Encoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** How many bytes of a file have to be seen to know whether it begins with a mark. */
export const byteOrderMarkBytesMax = 3;

export interface DetectedEncoding {
  readonly encoding: Encoding;
  /** How long the mark is that the file begins with. */
  readonly markBytes: number;
}

/** A byte-order mark is what the file says of itself, and counts before what was asked for. */
export function detectEncoding(start: Uint8Array, asked: Encoding = 'utf-8'): DetectedEncoding {
  const mark = byteOrderMarks.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte));
  return mark === undefined ? { encoding: asked, markBytes: 0 } : { encoding: mark.encoding, markBytes: mark.bytes.length };
}

/** Nothing where the bytes are not text in the encoding. */
export type Decoder = (bytes: Uint8Array) => string | undefined;

export function decoderOf(encoding: Encoding): Decoder {
  if (encoding === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}

/** What Node 20's own decoder leaves out: it takes 0x80 to 0x9F as Latin-1. A blank stands for a byte that means nothing. */
const windows1252Upper = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function decodeWindows1252(bytes: Uint8Array): string | undefined {
  let isText = true;
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const text = latin1.replace(/[\u0080-\u009f]/g, (byte) => {
    const character = windows1252Upper[byte.charCodeAt(0) - 0x80] ?? ' ';
    isText &&= character !== ' ';
    return character;
  });
  return isText ? text : undefined;
}
