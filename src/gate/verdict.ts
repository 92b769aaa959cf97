import type { UnavailableCode } from '../base/errors.ts';
import type { Decision, Transmission } from '../ledger/ledger.ts';

/** Not decided: nothing was acknowledged, and the same transmission is to be sent again. */
export interface Unavailable {
  readonly outcome: 'unavailable';
  readonly code: UnavailableCode;
  readonly message: string;
}

/** What the gate has to say of one transmission. */
export type Verdict =
  | { readonly transmission: Transmission; readonly decision: Decision }
  | { readonly transmission: Transmission; readonly decision: Unavailable };
