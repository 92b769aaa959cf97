import type { DeaSchedule } from './dea-schedule.ts';

/** What a product directory says of a package, as it was when the scan was decided. */
export interface Listing {
  readonly dea_schedule: DeaSchedule;
  /** The NDC in eleven digits of a GTIN that does not tell it by itself. It is no part of any identity. */
  readonly ndc11?: string;
  readonly product_name?: string;
  /** Finished form and package as listed, as in `TABLET, 10 mg/1; 100 TABLET in 1 BOTTLE`. */
  readonly package_form?: string;
  /** How many units one container holds, decimal text. */
  readonly units_per_container?: string;
}
