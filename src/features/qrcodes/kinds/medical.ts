import { Type } from 'typebox';
import {
  amount,
  contact,
  day,
  emergencyContacts,
  group,
  insurance,
  languageTag,
  line,
  list,
  oneOf,
  text,
  weightKg,
  yesNo,
} from './field-types.ts';
import { allergies, conditions, medications, vaccinations } from './health-fields.ts';
import { defineProfileKind } from './profile-kind.ts';

const schema = group('Medical', 'What a helper must know about a person.', {
  name: line('Name', 'Name of the person, as much of it as a helper may know.'),
  bornOn: Type.Optional(day('Born on', 'Date of birth.')),
  sex: Type.Optional(oneOf('Sex', 'Administrative sex.', ['FEMALE', 'MALE', 'OTHER', 'UNKNOWN'])),
  bloodType: Type.Optional(
    oneOf('Blood type', 'ABO group with Rh(D) factor.', [
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
  allergies: Type.Optional(allergies()),
  conditions: Type.Optional(conditions()),
  medications: Type.Optional(medications()),
  implants: Type.Optional(
    list('Implants', 'Pacemaker, prosthesis, insulin pump, …', line('Implant', 'One implant.'), 20),
  ),
  vaccinations: Type.Optional(vaccinations()),
  pregnant: Type.Optional(yesNo('Pregnant', 'Whether the person is pregnant.')),
  heightCm: Type.Optional(amount('Height (cm)', 'Height in centimetres.', 20, 280)),
  weightKg: Type.Optional(weightKg('Weight', 700)),
  organDonor: Type.Optional(yesNo('Organ donor', 'Whether the person agrees to organ donation.')),
  advanceDirective: Type.Optional(
    text('Advance directive', 'Wishes about treatment and resuscitation, and where the document is kept.'),
  ),
  languages: Type.Optional(
    list('Languages', 'Languages the person understands, BCP 47, such as de or pt-BR.', languageTag(), 10),
  ),
  emergencyContacts: Type.Optional(emergencyContacts()),
  doctor: Type.Optional(contact('Doctor', 'The doctor who knows the person.')),
  insurance: Type.Optional(insurance('Health insurance')),
  notes: Type.Optional(text('Notes', 'Anything else a helper must know.')),
});

/** A medical bracelet or card. */
export const medical = defineProfileKind({
  kind: 'MEDICAL',
  label: 'Medical',
  description: 'For a bracelet or card: what helpers must know in an emergency, and whom to call.',
  sensitive: 'ALWAYS',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    allergies: 'PIN_OR_PRIVATE',
    conditions: 'PIN_OR_PRIVATE',
    medications: 'PIN_OR_PRIVATE',
    bloodType: 'PIN_OR_PRIVATE',
    implants: 'PIN_OR_PRIVATE',
    pregnant: 'PIN_OR_PRIVATE',
    emergencyContacts: 'PIN_OR_PRIVATE',
    doctor: 'PIN_OR_PRIVATE',
    advanceDirective: 'PIN_OR_PRIVATE',
    languages: 'PUBLIC',
    bornOn: 'PIN_OR_PRIVATE',
    sex: 'PIN_OR_PRIVATE',
    weightKg: 'PIN_OR_PRIVATE',
    heightCm: 'PIN_OR_PRIVATE',
    vaccinations: 'PIN_OR_PRIVATE',
    organDonor: 'PIN_OR_PRIVATE',
    insurance: 'PIN_OR_PRIVATE',
    notes: 'PIN_OR_PRIVATE',
  },
  urgent: ['allergies', 'conditions', 'medications', 'bloodType', 'implants', 'pregnant'],
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
