/** Scans of a device that works, made after every fault was healed: each is part of the history like every other. */
import type { ScanEvent } from '../history.ts';
import type { PlannedScan } from '../workload/traffic.ts';

const facility = '0b9f7f52-5f5e-4d0e-9a51-999999999999';
const scanner = 'PROBE-01';

/** @param number that no other probe has. @param at the true time. */
export function probeScan(number: number, at: number): PlannedScan {
  const name = `probe${number}`;
  const id = `probe-${number}`;
  const lot = `PROBE${number}`;
  const truth: ScanEvent = {
    kind: 'scan',
    scan: name,
    facility_uuid: facility,
    scanner_id: scanner,
    pulled_at: at,
    device_at: at,
    content: lot,
    scan_uuids: [id],
    distinct_ids: 'ignore',
    readable: true,
    product: '00093721410',
    delta: '-1',
    moved: { scan_type: 'dispense', quantity: '1', unit: 'EA', lot_number: lot },
  };
  const wire = { facility_uuid: facility, scanner_id: scanner, scan_type: 'dispense', ndc: '00093721410', lot_number: lot };
  return {
    truth,
    readings: [
      {
        name,
        firstSendAt: at,
        wire: { ...wire, scan_type: 'dispense', quantity: 1, scan_uuid: id, captured_at: at },
        clock: { offsetMs: 0, steps: [] },
        sendsSentAt: false,
        queue: null,
        paths: 1,
        missedAcks: 0,
        retryAfterMs: [1_000],
      },
    ],
  };
}
