/**
 * The product directory: what is known of a package by its NDC. Asked while a scan is admitted, and never asked whether a scan is a
 * duplicate.
 */
import type { Listing } from '../scan/listing.ts';

export interface ProductDirectory {
  /** Whether a directory was ever imported to its end: before that, it says nothing of what it does not hold. */
  isLoaded(): boolean;
  /** @param ndc12 6-4-2 without hyphens. */
  listing(ndc12: string): Listing | undefined;
  /** The NDC-11 that ten digits without hyphens stand for, where the directory leaves no doubt. */
  ndc11Of(ndc10: string): string | undefined;
}

export interface ListedPackage extends Listing {
  /** 6-4-2 without hyphens. */
  readonly ndc12: string;
  /** Its ten digits, where the listing shows where their hyphens are. */
  readonly ndc10?: string;
}

/** How far a file was read. */
export interface ImportProgress {
  /** Names the file by its content. */
  readonly key: string;
  /** The last line that was read; 0 before the first. */
  readonly line: number;
  readonly isDone: boolean;
}

/** A directory that takes packages in. */
export interface ProductDirectoryWriter extends ProductDirectory {
  /** How far an earlier run came with this file; 0 when it is new or was read to its end. */
  lineOf(key: string): number;
  /** Adds packages, in place of what is there under the same NDC, and notes how far the file was read. One transaction. */
  put(packages: readonly ListedPackage[], progress: ImportProgress): void;
  close(): void;
}
