/**
 * Chance that can be repeated. What is drawn for one thing depends on the seed and on the name of that thing alone, not on what else was
 * drawn: so a history from which a scan was taken away is the same history without that scan.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  /** True so often of a thousand times. */
  perMille(share: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** @param name of what it is drawn for. */
export function randomOf(seed: number, name: string): Random {
  return new SeededRandom(mixed(seed, name));
}

/** A class, because there is one for every scan: its functions are made once. */
class SeededRandom implements Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  between(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  below(limit: number): number {
    return this.between(0, limit - 1);
  }

  perMille(share: number): boolean {
    return this.between(0, 999) < share;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }
}

/** FNV-1a over the name, begun with the seed, 32 bits. Mixed before and after, so that near seeds and near names have nothing in common. */
function mixed(seed: number, name: string): number {
  let hash = spread(0x81_1c_9d_c5 ^ seed);
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93);
  return spread(hash);
}

/** The last step of MurmurHash3: every bit of the input changes every bit of what comes out. */
function spread(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2_b2_ae_35);
  return twice ^ (twice >>> 16);
}
