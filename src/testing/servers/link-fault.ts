/** What can be wrong with a way over TCP, and for whom. */

export type LinkFault =
  /** Requests are cut off, one of so many: dropped with their connection, or applied, and their reply dropped with it. */
  | { readonly kind: 'cut'; readonly at: 'request' | 'reply'; readonly oneOf: number; readonly only?: 'COMMIT' }
  /** Everything comes, so many ms later, and not more of it in a second. */
  | { readonly kind: 'slow'; readonly delayMs: number; readonly bytesPerS: number }
  /** Nothing comes in one direction or in both, and connections stay open. What was held comes late, or never, with a reset. */
  | { readonly kind: 'silent'; readonly direction: 'request' | 'reply' | 'both'; readonly ends: 'delivered' | 'reset' }
  /** Nobody gets through: connections are reset, and new ones too. */
  | { readonly kind: 'closed' };

/** Whose connection it is, as far as the bytes say. */
export type LinkUser = 'client' | 'replica' | 'sentinel';

export interface LinkFaultScope {
  /** Everybody's when left out. */
  readonly user?: LinkUser;
  /** Only every second connection. */
  readonly isHalf?: boolean;
}
