/**
 * Names of fields that look like patient data. ScanGate keeps none: a scan that carries one is refused by the name, and what
 * is kept of it as evidence has the value taken out.
 */
const words =
  /patient|ptname|ptid|birth|ssn|socialsecurity|medicalrecord|(?:first|last|middle|full|maiden|given|family)name|surname|phone|mobile|email|address|insurance|memberid|subscriber|diagnosis|allerg|nextofkin|healthcard|nhsnumber|(?:customer|client|person|guardian|caregiver|mother|father|spouse)s?(?:name|first|last|id|$)|^(?:name|dob|mrn|gender|sex|pt|zip|postal|street|icd)/;

export const removedValue = '[removed: looks like patient data]';

export function looksLikePatientData(key: string): boolean {
  return words.test(
    key
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  );
}

/** The path of the first such field, as in `details.patient_name`, or nothing. */
export function findPatientData(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (!Array.isArray(value) && looksLikePatientData(key)) return here;
    const found = findPatientData(inner, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same value without what such fields hold. */
export function withoutPatientData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatientData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, looksLikePatientData(key) ? removedValue : withoutPatientData(inner)]),
  );
}
