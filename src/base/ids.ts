import { v7 } from 'uuid';

/** Where new identifiers come from: injected, so that a test or a simulation can make them repeatable. */
export interface IdSource {
  uuid(): string;
}

/** Version 7 (RFC 9562): begins with the time, so that what is written together lies together in an index. */
export const randomIds: IdSource = { uuid: () => v7() };
