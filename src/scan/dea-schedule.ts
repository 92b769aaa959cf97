/** DEA schedules as FDA's directory writes them, `none` for what is not controlled, `unknown` before a directory says. */
export type DeaSchedule = 'CI' | 'CII' | 'CIII' | 'CIV' | 'CV' | 'none' | 'unknown';

/**
 * Which set of records a schedule belongs to (21 CFR 1304.04: schedules I and II are kept apart from all others). What is
 * unknown is kept as strictly as what is strictest.
 */
export function bookOf(schedule: DeaSchedule): 'schedule_1_2' | 'schedule_3_5' | 'not_controlled' {
  switch (schedule) {
    case 'CI':
    case 'CII':
    case 'unknown':
      return 'schedule_1_2';
    case 'CIII':
    case 'CIV':
    case 'CV':
      return 'schedule_3_5';
    case 'none':
      return 'not_controlled';
  }
}
