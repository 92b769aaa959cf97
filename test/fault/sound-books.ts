import type { Transmission } from '../../src/ledger/ledger.ts';
import { facilityB, rejectionAt, scanAt } from '../../src/testing/wire-scans.ts';

/**
 * Facility A: record 1 commits line 1 (id A), record 2 suppresses id B by it, records 3 and 4 commit lines 2 and 3, record 5 is a
 * rejection, record 6 commits line 4. Facility B: record 1 commits line 1.
 */
export const soundBooks: readonly Transmission[] = [
  scanAt(0, { scan_uuid: 'A' }),
  scanAt(100, { scan_uuid: 'B' }),
  scanAt(0, { lot_number: 'L2' }),
  scanAt(0, { lot_number: 'L3' }),
  rejectionAt(200),
  scanAt(0, { lot_number: 'L4' }),
  scanAt(0, { facility_uuid: facilityB }),
];
