import { Type } from 'typebox';
import { findDateOrderErrors } from './field-rules.ts';
import {
  contactField,
  countryField,
  dateField,
  emailField,
  emergencyContactsField,
  lineField,
  objectField,
  phoneField,
  postalAddressField,
  textField,
} from './field-types.ts';
import { defineProfileKind } from './profile-kind.ts';

const schema = objectField('Identification', 'Identity of a person.', {
  name: lineField('Name', 'Full name, as much of it as a stranger may know.'),
  role: Type.Optional(lineField('Role', 'Job, function or class.')),
  organization: Type.Optional(lineField('Organization', 'Company, school or club.')),
  idNumber: Type.Optional(lineField('Number', 'Number of the badge, membership or identity card.', 60)),
  issuedBy: Type.Optional(lineField('Issued by', 'Who issued it.')),
  issuedOn: Type.Optional(dateField('Issued on', 'When it was issued.')),
  validUntil: Type.Optional(dateField('Valid until', 'The last day it is valid.')),
  bornOn: Type.Optional(dateField('Born on', 'Date of birth.')),
  nationality: Type.Optional(countryField('Nationality')),
  phone: Type.Optional(phoneField()),
  email: Type.Optional(emailField()),
  address: Type.Optional(postalAddressField('Address', 'Where the person lives.')),
  emergencyContacts: Type.Optional(emergencyContactsField()),
  verifier: Type.Optional(contactField('Verifier', 'Who can confirm that this is genuine.')),
  notes: Type.Optional(textField('Notes', 'Further information.')),
});

export const identificationKind = defineProfileKind({
  kind: 'IDENTIFICATION',
  label: 'Identification',
  description: 'For a badge, or the coat of a person who may get lost: name and emergency contacts.',
  sensitive: 'ALWAYS',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    role: 'PUBLIC',
    organization: 'PUBLIC',
    validUntil: 'PUBLIC',
    issuedBy: 'PUBLIC',
    emergencyContacts: 'PIN_OR_PRIVATE',
    verifier: 'PIN_OR_PRIVATE',
    idNumber: 'PIN_OR_PRIVATE',
    issuedOn: 'PIN_OR_PRIVATE',
    bornOn: 'PIN_OR_PRIVATE',
    nationality: 'PIN_OR_PRIVATE',
    phone: 'PIN_OR_PRIVATE',
    email: 'PIN_OR_PRIVATE',
    address: 'PIN_OR_PRIVATE',
    notes: 'PIN_OR_PRIVATE',
  },
  example: {
    name: 'Tomás Silva',
    role: 'Volunteer',
    organization: 'Mountain Rescue Porto',
    idNumber: 'MR-0417',
    issuedOn: '2026-01-01',
    validUntil: '2027-12-31',
    bornOn: '1990-03-14',
    nationality: 'PT',
    phone: '+351 912 345 678',
    emergencyContacts: [{ name: 'Inês Silva', relation: 'Sister', phone: '+351 913 000 111' }],
  },
  check(data) {
    return findDateOrderErrors('data.validUntil', data.issuedOn, data.validUntil);
  },
});
