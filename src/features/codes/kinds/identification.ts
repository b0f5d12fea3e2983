import { Type } from 'typebox';
import { findDateOrderErrors } from './field-rules.ts';
import {
  createContactFieldSchema,
  createCountryFieldSchema,
  createDateFieldSchema,
  createEmailFieldSchema,
  createEmergencyContactsFieldSchema,
  createObjectFieldSchema,
  createPhoneFieldSchema,
  createPostalAddressFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
} from './field-types.ts';
import { defineProfileQrCodeKind } from './profile-kind.ts';

const schema = createObjectFieldSchema('ID card', 'Identity of a person.', {
  name: createSingleLineFieldSchema('Name', 'Full name, as much of it as a stranger may know.'),
  role: Type.Optional(createSingleLineFieldSchema('Role', 'Job, function or class.')),
  organization: Type.Optional(createSingleLineFieldSchema('Organization', 'Company, school or club.')),
  idNumber: Type.Optional(
    createSingleLineFieldSchema('ID number', 'Number of the badge, membership or identity card.', 60),
  ),
  issuedBy: Type.Optional(createSingleLineFieldSchema('Issued by', 'Who issued it.')),
  issuedOn: Type.Optional(createDateFieldSchema('Date issued', 'When it was issued.')),
  validUntil: Type.Optional(createDateFieldSchema('Valid until', 'The last day it is valid.')),
  bornOn: Type.Optional(createDateFieldSchema('Date of birth', 'Date of birth.')),
  nationality: Type.Optional(createCountryFieldSchema('Nationality')),
  phone: Type.Optional(createPhoneFieldSchema()),
  email: Type.Optional(createEmailFieldSchema()),
  address: Type.Optional(createPostalAddressFieldSchema('Address', 'Where the person lives.')),
  emergencyContacts: Type.Optional(createEmergencyContactsFieldSchema()),
  verifier: Type.Optional(
    createContactFieldSchema('Who can confirm it', 'Who can confirm that this is genuine.'),
  ),
  notes: Type.Optional(createTextFieldSchema('Notes', 'Further information.')),
});

export const identificationQrCodeKind = defineProfileQrCodeKind({
  kind: 'IDENTIFICATION',
  label: 'ID card',
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
    pictures: 'PIN_OR_PRIVATE',
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
