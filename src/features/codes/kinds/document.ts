import { Type } from 'typebox';
import { findDateOrderErrors, findWebUrlErrors } from './field-rules.ts';
import {
  createContactFieldSchema,
  createDateFieldSchema,
  createObjectFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
  createWebUrlFieldSchema,
} from './field-types.ts';
import { defineProfileQrCodeKind } from './profile-kind.ts';

const schema = createObjectFieldSchema('Document', 'A document, on paper or digital.', {
  name: createSingleLineFieldSchema('Name', 'What it is, such as “Rental contract”.'),
  documentType: Type.Optional(
    createSingleLineFieldSchema('Type', 'Contract, certificate, passport, manual, …', 60),
  ),
  summary: Type.Optional(createTextFieldSchema('Summary', 'What it says, in short.')),
  issuer: Type.Optional(createSingleLineFieldSchema('Issuer', 'Who issued it.')),
  issuedOn: Type.Optional(createDateFieldSchema('Date issued', 'When it was issued.')),
  validUntil: Type.Optional(createDateFieldSchema('Valid until', 'The last day it is valid.')),
  url: Type.Optional(
    createWebUrlFieldSchema('Web address', 'Where the document can be read on the web, http or https.'),
  ),
  number: Type.Optional(createSingleLineFieldSchema('Document number', 'Number of the document.', 60)),
  holder: Type.Optional(
    createSingleLineFieldSchema('Holder', 'Person or organization the document was issued to.'),
  ),
  verifier: Type.Optional(
    createContactFieldSchema('Who can confirm it', 'Who can confirm that it is genuine.'),
  ),
  storedAt: Type.Optional(createSingleLineFieldSchema('Where it’s kept', 'Where the original is kept.')),
  notes: Type.Optional(createTextFieldSchema('Notes', "The owner's own notes.")),
});

export const documentQrCodeKind = defineProfileQrCodeKind({
  kind: 'DOCUMENT',
  label: 'Document',
  description: 'For a paper or its folder: what it is, whether it is valid, and who can confirm it.',
  sensitive: 'ALWAYS',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    documentType: 'PUBLIC',
    validUntil: 'PUBLIC',
    issuer: 'PUBLIC',
    issuedOn: 'PUBLIC',
    summary: 'PIN_OR_PRIVATE',
    url: 'PIN_OR_PRIVATE',
    number: 'PIN_OR_PRIVATE',
    holder: 'PIN_OR_PRIVATE',
    verifier: 'PIN_OR_PRIVATE',
    storedAt: 'PRIVATE',
    notes: 'PRIVATE',
    pictures: 'PIN_OR_PRIVATE',
  },
  example: {
    name: 'Rental contract',
    documentType: 'Contract',
    issuer: 'Hausverwaltung Nord GmbH',
    issuedOn: '2024-02-01',
    validUntil: '2029-01-31',
    summary: 'Two rooms, third floor, 900 EUR a month.',
    url: 'https://example.com/contracts/4711',
    number: 'MV-4711',
    holder: 'Anna Schmidt',
    verifier: { name: 'Hausverwaltung Nord GmbH', email: 'office@example.com' },
    storedAt: 'Blue folder, second shelf',
  },
  check(data) {
    return [
      ...findWebUrlErrors('data.url', data.url),
      ...findDateOrderErrors('data.validUntil', data.issuedOn, data.validUntil),
    ];
  },
});
