/** How often what happens in a traffic. Shares are per mille. */
export interface Mix {
  /** Of scans: the device misses the answer to its first transmission at least. Three times as many where the next scan is the same content. */
  readonly missedAcks: number;
  /** Of scans: the same content as the scan before, dispensed once more. */
  readonly redispenses: number;
  /** Of scans: with a serial number. */
  readonly serials: number;
  /** Of scans: sent at once over two ways, to two workers. */
  readonly twoPaths: number;
  /** Of scans: two symbols read as one. */
  readonly glued: number;
  /** Of scans: cut off, or with a wrong digit. */
  readonly damaged: number;
  /** Of scans: what the scan before was, but for one dimension: another serial, lot, quantity, unit, direction, type or reference. */
  readonly nearTwins: number;
  /** Of scans: what all other scanners have for their scan of this number as well. */
  readonly sharedContents: number;

  /** Of scanners: ids, and no `captured_at`. */
  readonly idsOnly: number;
  /** Of scanners: `captured_at`, and no ids. Those that remain have both. */
  readonly timesOnly: number;
  /** Of scanners: neither. Their retransmissions cannot be told from scans. */
  readonly bare: number;
  /** Of scanners with both: two programs listen, and each makes an id of its own. */
  readonly doubleListeners: number;
  /** Of scanners with ids: their class says that different ids are different scans. */
  readonly trusted: number;
  /** Of scanners with ids that they count: the count begins anew after every few scans, as after a battery was changed. */
  readonly reusedIds: number;
  /** Of scanners: the clock is wrong by up to a minute ahead, or up to a day behind, and is believed. */
  readonly skewedClocks: number;
  /** Of scanners: the clock is set while scans are made. */
  readonly steppedClocks: number;
  /** Of scanners with ids: the clock says 1970, 2036, forty days ago, or some minutes from now. */
  readonly implausibleClocks: number;
  /** Of scanners: loses its power now and then, keeps what was not heard, and sends it again. */
  readonly reboots: number;
  /** Of scanners: has no network for a while, and sends later in any order. */
  readonly offline: number;
  /** Of scanners: sends the next scan without having heard of the one before. */
  readonly pipelined: number;

  /** Every scan is sent a second time after exactly so many ms, because its first answer was missed. Absent: as scanners do. */
  readonly retryMs?: number;
}

export const defaultMix: Mix = {
  missedAcks: 150,
  redispenses: 120,
  serials: 300,
  twoPaths: 40,
  glued: 8,
  damaged: 12,
  nearTwins: 0,
  sharedContents: 0,
  idsOnly: 150,
  timesOnly: 250,
  bare: 0,
  doubleListeners: 200,
  trusted: 100,
  reusedIds: 0,
  skewedClocks: 300,
  steppedClocks: 150,
  implausibleClocks: 150,
  reboots: 150,
  offline: 200,
  pipelined: 300,
};

/** Nothing but scans with ids and right clocks, each heard at once: for what is to be watched alone. */
export const quietMix: Mix = {
  missedAcks: 0,
  redispenses: 0,
  serials: 0,
  twoPaths: 0,
  glued: 0,
  damaged: 0,
  nearTwins: 0,
  sharedContents: 0,
  idsOnly: 0,
  timesOnly: 0,
  bare: 0,
  doubleListeners: 0,
  trusted: 0,
  reusedIds: 0,
  skewedClocks: 0,
  steppedClocks: 0,
  implausibleClocks: 0,
  reboots: 0,
  offline: 0,
  pipelined: 0,
};
