import type { KeyboardLayout } from './keyboard.ts';

/** What is known of one class of scanners. Everything is off until it is set: nothing is repaired that was not said to be broken. */
export interface ScannerProfile {
  /** Text that the scanner puts before each read. */
  readonly prefix?: string;
  /** Text that it puts after each read, before CR, LF, TAB and spaces, which are never data. */
  readonly suffix?: string;
  /** What stands for the group separator. `_`, `<GS>` and other characters of set 82 can be data as well. */
  readonly separatorAliases?: readonly string[];
  /** The layout of the keyboard that the host believes it has; the scanner types as on a US one. */
  readonly keyboardLayout?: KeyboardLayout;
  readonly capsLock?: boolean;
  /** What eight digits are in which nothing says whether they are GTIN-8 or UPC-E. */
  readonly eightDigits?: 'gtin8' | 'upce';
}
