import { describe, expect, it } from 'vitest';
import { findPatientData, looksLikePatientData, withoutPatientData } from '../../../src/scan/patient-data.ts';
import { wireFields } from '../../../src/scan/wire-schema.ts';

describe('looksLikePatientData', () => {
  it.each([
    'patient',
    'patient_name',
    'patientId',
    'Patient-ID',
    'PATIENT_DOB',
    'rx_patient',
    'inpatient_no',
    'pt_name',
    'dob',
    'DOB',
    'date_of_birth',
    'dateOfBirth',
    'birth_date',
    'birthday',
    'ssn',
    'social-security-number',
    'mrn',
    'medical_record_number',
    'first_name',
    'lastName',
    'middle_name',
    'full_name',
    'surname',
    'given_name',
    'family_name',
    'gender',
    'sex',
    'phone',
    'phone_number',
    'mobile',
    'email',
    'e-mail',
    'address',
    'address_line_1',
    'street',
    'zip',
    'zip_code',
    'postal_code',
    'insurance_id',
    'member_id',
    'diagnosis',
    'icd10',
    'allergies',
    'guardian',
    'next_of_kin',
    ' patient ',
    'ｐａｔｉｅｎｔ',
    'pa\u200Btient',
  ])('says so of %j', (name) => {
    expect(looksLikePatientData(name)).toBe(true);
  });

  it.each([
    'quantity',
    'lot',
    'device',
    'prescription',
    'order_number',
    'rx_number',
    'event_id',
    'drug_name',
    'location',
    'unisex',
    '',
  ])('does not say so of %j', (name) => {
    expect(looksLikePatientData(name)).toBe(false);
  });

  it('does not say so of any field of a scan', () => {
    expect(wireFields.length).toBeGreaterThan(15);
    expect(wireFields.filter(looksLikePatientData)).toEqual([]);
  });
});

describe('findPatientData', () => {
  it('names the field', () => {
    expect(findPatientData({ scan_type: 'dispense', patient_name: 'x' })).toBe('patient_name');
  });

  it('names the path of one inside objects and arrays', () => {
    expect(findPatientData({ details: { rx: { patient_name: 'x' } } })).toBe('details.rx.patient_name');
    expect(findPatientData({ notes: ['a', { dob: 'x' }] })).toBe('notes.1.dob');
  });

  it('names the first of many', () => {
    expect(findPatientData({ a: { mrn: 1 }, ssn: 2 })).toBe('a.mrn');
  });

  it('finds one whatever it holds', () => {
    expect(findPatientData({ dob: null })).toBe('dob');
    expect(findPatientData(JSON.parse('{"__proto__":{"patient":1}}'))).toBe('__proto__.patient');
  });

  it('does not mind what fields hold', () => {
    expect(findPatientData({ reference: 'patient', lot_number: 'SSN' })).toBeUndefined();
  });

  it.each([undefined, null, 'patient', 5, true, [], {}])('finds nothing in %j', (value) => {
    expect(findPatientData(value)).toBeUndefined();
  });
});

describe('withoutPatientData', () => {
  it('takes the values out, at every depth, and keeps the rest', () => {
    const value = { lot_number: 'A1207', patient: { name: 'Doe' }, more: [{ dob: '1970-01-01', unit: 'EA' }], quantity: 1 };

    expect(withoutPatientData(value)).toEqual({
      lot_number: 'A1207',
      patient: '[removed: looks like patient data]',
      more: [{ dob: '[removed: looks like patient data]', unit: 'EA' }],
      quantity: 1,
    });
  });

  it('leaves the value that it was given as it was', () => {
    const value = { mrn: '123' };
    withoutPatientData(value);

    expect(value).toEqual({ mrn: '123' });
  });

  it('keeps __proto__ as a field and gives no object another prototype', () => {
    const cleaned = withoutPatientData(JSON.parse('{"__proto__":{"quantity":99,"ssn":"1"}}')) as object;

    expect(JSON.stringify(cleaned)).toBe('{"__proto__":{"quantity":99,"ssn":"[removed: looks like patient data]"}}');
    expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype);
  });

  it.each([null, 'patient', 5, false])('gives %j back', (value) => {
    expect(withoutPatientData(value)).toBe(value);
  });
});
