import { Type } from 'typebox';
import {
  createBooleanFieldSchema,
  createContactFieldSchema,
  createDateFieldSchema,
  createEmergencyContactsFieldSchema,
  createEnumFieldSchema,
  createInsuranceFieldSchema,
  createLanguageTagFieldSchema,
  createListFieldSchema,
  createNumberFieldSchema,
  createObjectFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
  createWeightKgFieldSchema,
} from './field-types.ts';
import {
  createAllergiesFieldSchema,
  createConditionsFieldSchema,
  createMedicationsFieldSchema,
  createVaccinationsFieldSchema,
} from './health-fields.ts';
import { defineProfileQrCodeKind } from './profile-kind.ts';

const schema = createObjectFieldSchema('Medical', 'What a helper must know about a person.', {
  name: createSingleLineFieldSchema('Name', 'Name of the person, as much of it as a helper may know.'),
  bornOn: Type.Optional(createDateFieldSchema('Date of birth', 'Date of birth.')),
  sex: Type.Optional(
    createEnumFieldSchema('Sex', 'Administrative sex.', ['FEMALE', 'MALE', 'OTHER', 'UNKNOWN']),
  ),
  bloodType: Type.Optional(
    createEnumFieldSchema('Blood type', 'ABO group with Rh(D) factor.', [
      'O-',
      'O+',
      'A-',
      'A+',
      'B-',
      'B+',
      'AB-',
      'AB+',
      'UNKNOWN',
    ]),
  ),
  allergies: Type.Optional(createAllergiesFieldSchema()),
  conditions: Type.Optional(createConditionsFieldSchema()),
  medications: Type.Optional(createMedicationsFieldSchema()),
  implants: Type.Optional(
    createListFieldSchema(
      'Implants',
      'Pacemaker, prosthesis, insulin pump, …',
      createSingleLineFieldSchema('Implant', 'One implant.'),
      20,
    ),
  ),
  vaccinations: Type.Optional(createVaccinationsFieldSchema()),
  pregnant: Type.Optional(createBooleanFieldSchema('Pregnant', 'Whether the person is pregnant.')),
  heightCm: Type.Optional(createNumberFieldSchema('Height (cm)', 'Height in centimeters.', 20, 280)),
  weightKg: Type.Optional(createWeightKgFieldSchema('Body weight', 700)),
  organDonor: Type.Optional(
    createBooleanFieldSchema('Organ donor', 'Whether the person agrees to organ donation.'),
  ),
  advanceDirective: Type.Optional(
    createTextFieldSchema(
      'Advance directive',
      'Wishes about treatment and resuscitation, and where the document is kept.',
    ),
  ),
  languages: Type.Optional(
    createListFieldSchema(
      'Languages',
      'Languages the person understands, BCP 47, such as de or pt-BR.',
      createLanguageTagFieldSchema(),
      10,
    ),
  ),
  emergencyContacts: Type.Optional(createEmergencyContactsFieldSchema()),
  doctor: Type.Optional(createContactFieldSchema('Doctor', 'The doctor who knows the person.')),
  insurance: Type.Optional(createInsuranceFieldSchema('Health insurance')),
  notes: Type.Optional(createTextFieldSchema('Notes', 'Anything else a helper must know.')),
});

export const medicalQrCodeKind = defineProfileQrCodeKind({
  kind: 'MEDICAL',
  label: 'Medical',
  description: 'For a bracelet or card: what helpers must know in an emergency, and who to call.',
  sensitive: 'ALWAYS',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    allergies: 'PIN_OR_PRIVATE',
    conditions: 'PIN_OR_PRIVATE',
    medications: 'PIN_OR_PRIVATE',
    implants: 'PIN_OR_PRIVATE',
    pregnant: 'PIN_OR_PRIVATE',
    bloodType: 'PIN_OR_PRIVATE',
    advanceDirective: 'PIN_OR_PRIVATE',
    notes: 'PIN_OR_PRIVATE',
    bornOn: 'PIN_OR_PRIVATE',
    sex: 'PIN_OR_PRIVATE',
    emergencyContacts: 'PIN_OR_PRIVATE',
    doctor: 'PIN_OR_PRIVATE',
    languages: 'PUBLIC',
    weightKg: 'PIN_OR_PRIVATE',
    heightCm: 'PIN_OR_PRIVATE',
    vaccinations: 'PIN_OR_PRIVATE',
    organDonor: 'PIN_OR_PRIVATE',
    insurance: 'PIN_OR_PRIVATE',
  },
  urgent: [
    'allergies',
    'conditions',
    'medications',
    'implants',
    'pregnant',
    'bloodType',
    'advanceDirective',
    'notes',
  ],
  example: {
    name: 'Maria K.',
    bornOn: '1958-09-30',
    bloodType: 'O-',
    allergies: [
      {
        name: 'Penicillin',
        reaction: 'Anaphylaxis',
        severity: 'LIFE_THREATENING',
        coding: { system: 'SNOMED_CT', code: '91936005' },
      },
    ],
    conditions: [{ name: 'Type 1 diabetes', since: '1971-01-01', coding: { system: 'ICD_10', code: 'E10' } }],
    medications: [
      {
        name: 'Insulin lispro',
        dose: '8 [iU]',
        frequency: 'With each meal',
        coding: { system: 'RXNORM', code: '86009' },
      },
    ],
    implants: ['Insulin pump, left abdomen'],
    weightKg: 64,
    heightCm: 168,
    languages: ['de', 'el'],
    emergencyContacts: [{ name: 'Eleni K.', relation: 'Daughter', phone: '+49 171 7654321' }],
    doctor: { name: 'Dr. Weber', phone: '+49 89 765432' },
    notes: 'Carries glucose in the left pocket.',
  },
});
