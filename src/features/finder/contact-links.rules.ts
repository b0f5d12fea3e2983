import { getMinIdAt } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { createPhoneFieldSchema, getCurrentQrCodeStatus } from '../codes/index.ts';
import type { ProfileFieldSchema } from './field-value.ts';

type Profile = Readonly<Record<string, unknown>>;

export interface CallableContact {
  name: string | null;
  role: { relation: string } | { field: string };
  phone: string;
  email: string | null;
}

const { format: PHONE_FORMAT }: ProfileFieldSchema = createPhoneFieldSchema();

export function extractCallableContacts(
  properties: Readonly<Record<string, ProfileFieldSchema>>,
  profile: Profile,
): { contacts: CallableContact[]; otherFields: Profile } {
  const contacts: CallableContact[] = [];
  const otherFields: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(profile)) {
    const schema = properties[field] ?? {};
    if (schema.format === PHONE_FORMAT && typeof value === 'string') {
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

/** An insurance has a phone but no relation. */
function isContact(schema: ProfileFieldSchema | undefined): boolean {
  const { phone: number, relation } = schema?.properties ?? {};
  return number?.format === PHONE_FORMAT && relation !== undefined;
}

function getName({ name }: Profile): string | null {
  return typeof name === 'string' ? name : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Degrees (WGS 84). */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** Create links to applications and sites with maps. iOS does not support geo: (RFC 5870). */
export function createMapLinks({ latitude, longitude }: Coordinates) {
  const [north, east] = [latitude.toFixed(6), longitude.toFixed(6)];
  return {
    geo: `geo:${north},${east}`,
    apple: `https://maps.apple.com/?q=${north},${east}`,
    google: `https://www.google.com/maps/search/?api=1&query=${north},${east}`,
    openStreetMap: `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`,
  };
}

export type UrlInterstitialPolicy = 'never' | 'young' | 'always';

interface UrlCode {
  accountId: string;
  showsPage: boolean;
  status: string;
  expiresAt: Date | null;
}

/** `young` shows the page for codes of new accounts, which may be used for phishing. */
export function shouldRedirectWithoutInterstitial(
  code: UrlCode,
  policy: UrlInterstitialPolicy,
  now: Date,
): boolean {
  if (code.showsPage || policy === 'always' || getCurrentQrCodeStatus(code) === 'LOST') return false;
  // Ids contain the creation time.
  const youngAccountIdLimit = getMinIdAt(new Date(now.getTime() - LIFETIMES_SECONDS.newAccount * 1000));
  return policy === 'never' || code.accountId < youngAccountIdLimit;
}
