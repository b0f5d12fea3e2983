import { phoneField } from '../codes/index.ts';
import type { FieldSchema } from './field-value.ts';

type Profile = Readonly<Record<string, unknown>>;

export interface CallableContact {
  name: string | null;
  /** Relation to the owner, or the field the number is in. */
  role: { relation: string } | { field: string };
  phone: string;
  email: string | null;
}

const { pattern: PHONE_PATTERN }: FieldSchema = phoneField();

/** Split off contacts with a phone number from the other fields, in display order. */
export function extractCallableContacts(
  properties: Readonly<Record<string, FieldSchema>>,
  profile: Profile,
): { contacts: CallableContact[]; otherFields: Profile } {
  const contacts: CallableContact[] = [];
  const otherFields: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(profile)) {
    const schema = properties[field] ?? {};
    if (schema.pattern === PHONE_PATTERN && typeof value === 'string') {
      contacts.push({ ...EMPTY_CONTACT, name: getName(profile), role: { field }, phone: value });
    } else if (Array.isArray(value) && isContact(schema.items)) {
      const rest = value.filter((item) => !addContact(item, `${field}.item`));
      if (rest.length > 0) otherFields[field] = rest;
    } else if (!isContact(schema) || !addContact(value, field)) {
      otherFields[field] = value;
    }
  }
  return { contacts, otherFields };

  function addContact(contact: unknown, field: string): boolean {
    if (!isRecord(contact)) return false;
    const { phone: number, relation, email } = contact;
    if (typeof number !== 'string') return false;
    const role = typeof relation === 'string' ? { relation } : { field };
    contacts.push({
      name: getName(contact),
      role,
      phone: number,
      email: typeof email === 'string' ? email : null,
    });
    return true;
  }
}

const EMPTY_CONTACT = { name: null, email: null };

/** Whether a field is a contact; an insurance has a phone but no relation. */
function isContact(schema: FieldSchema | undefined): boolean {
  const { phone: number, relation } = schema?.properties ?? {};
  return number?.pattern === PHONE_PATTERN && relation !== undefined;
}

function getName({ name }: Profile): string | null {
  return typeof name === 'string' ? name : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
