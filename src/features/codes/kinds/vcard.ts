import { type Static, Type } from 'typebox';
import { toContactNumber } from '../../../shared/phone.ts';
import { findWebUrlErrors } from './field-rules.ts';
import {
  createDateFieldSchema,
  createEmailFieldSchema,
  createObjectFieldSchema,
  createPhoneFieldSchema,
  createPostalAddressFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
  createWebUrlFieldSchema,
} from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

const schema = createObjectFieldSchema('Business card', 'A contact for an address book.', {
  name: createSingleLineFieldSchema('Name', 'Full name, as it is shown.'),
  firstName: Type.Optional(createSingleLineFieldSchema('First name', 'Given name, for sorting.', 60)),
  lastName: Type.Optional(createSingleLineFieldSchema('Last name', 'Family name, for sorting.', 60)),
  organization: Type.Optional(createSingleLineFieldSchema('Organization', 'Company or club.')),
  jobTitle: Type.Optional(createSingleLineFieldSchema('Job title', 'Position.', 80)),
  mobile: Type.Optional(createPhoneFieldSchema('Mobile')),
  phone: Type.Optional(createPhoneFieldSchema('Phone')),
  email: Type.Optional(createEmailFieldSchema()),
  website: Type.Optional(createWebUrlFieldSchema('Website', 'Web address, http or https.')),
  address: Type.Optional(createPostalAddressFieldSchema('Address', 'Where to find or write to the person.')),
  bornOn: Type.Optional(createDateFieldSchema('Date of birth', 'Birthday.')),
  notes: Type.Optional(createTextFieldSchema('Notes', 'Anything else for the address book.', 500)),
});

type Card = Partial<Static<typeof schema>>;

export const vcardQrCodeKind = defineQrCodeKind({
  kind: 'VCARD',
  label: 'Business card',
  description: 'Puts a contact into the address book.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    firstName: 'PUBLIC',
    lastName: 'PUBLIC',
    organization: 'PUBLIC',
    jobTitle: 'PUBLIC',
    mobile: 'PIN_OR_PUBLIC',
    phone: 'PIN_OR_PUBLIC',
    email: 'PIN_OR_PUBLIC',
    website: 'PUBLIC',
    address: 'PIN_OR_PRIVATE',
    notes: 'PUBLIC',
    bornOn: 'PRIVATE',
  },
  example: {
    name: 'Dr. Sofía Núñez',
    firstName: 'Sofía',
    lastName: 'Núñez',
    organization: 'Núñez & Partner',
    jobTitle: 'Architect',
    mobile: '+34 600 123 456',
    email: 'sofia@example.com',
    website: 'https://example.com',
    address: { street: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
  },
  check(data) {
    return findWebUrlErrors('data.website', data.website);
  },
  /** vCard 3.0 (RFC 2426) has wider support than 4.0; lines are not folded, since few phones unfold them. */
  toStaticContent(data, title) {
    if (Object.keys(data).length === 0) return null;
    return ['BEGIN:VCARD', 'VERSION:3.0', ...createProperties(data, title), 'END:VCARD'].join('\r\n');
  },
});

function createProperties(card: Card, title: string): string[] {
  const fullName = [card.firstName, card.lastName].filter(Boolean).join(' ');
  const displayName =
    card.name ?? (fullName || card.organization || card.email || card.mobile || card.phone || title);
  const family = card.lastName ?? (card.firstName === undefined ? displayName : '');
  const { street, city, region, postalCode, country } = card.address ?? {};
  const rows: [string, string | undefined][] = [
    ['N', `${escapeText(family)};${escapeText(card.firstName ?? '')};;;`],
    ['FN', escapeText(displayName)],
    ['ORG', card.organization && escapeText(card.organization)],
    ['TITLE', card.jobTitle && escapeText(card.jobTitle)],
    ['TEL;TYPE=CELL', card.mobile && escapeText(toContactNumber(card.mobile))],
    ['TEL;TYPE=VOICE', card.phone && escapeText(toContactNumber(card.phone))],
    ['EMAIL', card.email],
    ['URL', card.website],
    [
      'ADR',
      card.address &&
        `;;${[street, city, region, postalCode, country].map((part) => escapeText(part ?? '')).join(';')}`,
    ],
    ['BDAY', card.bornOn],
    ['NOTE', card.notes && escapeText(card.notes)],
  ];
  return rows.filter(([, value]) => value).map(([name, value]) => `${name}:${value}`);
}

/** RFC 2426, section 5: backslash, semicolon and comma are escaped, a line feed is `\n`. */
function escapeText(value: string): string {
  return value.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
}
