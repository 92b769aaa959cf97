/** Names one line of one facility's book. */
export interface EntryRef {
  readonly id: string;
  readonly facility_uuid: string;
  readonly line: number;
}

/** The transport over which something came, as the journal names it; `quarantine` is what a person let out of it. */
export type Transport = 'http' | 'file' | 'library' | 'quarantine';
