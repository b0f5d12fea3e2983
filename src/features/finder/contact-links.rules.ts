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

const NUMBER_PATTERN = '(-?\\d{1,3}(?:\\.\\d{1,15})?)';
const COORDINATE_PAIR_PATTERN = `${NUMBER_PATTERN}(?:,|%2C)\\s*\\+?${NUMBER_PATTERN}`;

/** With a decimal point: `52,51` is one number where the comma is one. */
const DECIMAL_PATTERN = '(-?\\d{1,3}\\.\\d{1,15})';
const PLAIN_COORDINATES_PATTERN = `^\\s*\\(?${DECIMAL_PATTERN}(?:,|%2C)\\s*\\+?${DECIMAL_PATTERN}\\)?\\s*$`;
const GEO_PATTERN = `^geo:${COORDINATE_PAIR_PATTERN}`;

/** Formats of map links; exact places come before the center of the view. */
export const MAP_LINK_PATTERNS = [
  // Google Maps: the place itself.
  `!3d${NUMBER_PATTERN}!4d${NUMBER_PATTERN}`,
  // OpenStreetMap: a marker.
  `[?&]mlat=${NUMBER_PATTERN}&mlon=${NUMBER_PATTERN}`,
  // Google, Apple, Bing, Yandex, Waze and others; also geo:0,0?q=… of Android.
  `[?&](?:q|query|ll|sll|daddr|destination|cp|center|coordinate|at|loc)=(?:loc:)?${COORDINATE_PAIR_PATTERN}`,
  // RFC 5870.
  GEO_PATTERN,
  // Google Maps and OpenStreetMap: the center of the view.
  `/@${COORDINATE_PAIR_PATTERN}`,
  `#map=\\d{1,2}(?:\\.\\d+)?/${NUMBER_PATTERN}/${NUMBER_PATTERN}`,
  PLAIN_COORDINATES_PATTERN,
].map((pattern) => new RegExp(pattern, 'i'));

/** Null where it is not sure that the text names a position. */
export function parseCoordinates(text: string): Coordinates | null {
  for (const pattern of MAP_LINK_PATTERNS) {
    const [, latitude, longitude] = pattern.exec(text) ?? [];
    if (latitude === undefined || longitude === undefined) continue;
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    // Applications send 0,0 for a place that they only have words for.
    const isPlace = place.latitude !== 0 || place.longitude !== 0;
    if (isPlace && Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180) return place;
  }
  return null;
}

const COORDINATES_OR_LINK_PATTERN = `${PLAIN_COORDINATES_PATTERN}|^(?:https?://|geo:)\\S+$|^$`;

export const ONLY_COORDINATES_PATTERN = new RegExp(COORDINATES_OR_LINK_PATTERN, 'i');

/** A word of any script; of Latin letters three, since `N`, `E` and `z` stand beside numbers. */
const WORD_PATTERN = /[a-z]{3}|(?!\p{ASCII})\p{L}/iu;

const PLACE_PARAMETERS = ['q', 'query', 'name', 'label', 'address'];

export function hasTextBesidesCoordinates(text: string): boolean {
  return !ONLY_COORDINATES_PATTERN.test(text) || hasPlaceWords(text);
}

/** Whether a link has more than a position: a label, the name of a place, an address. */
function hasPlaceWords(link: string): boolean {
  const [path = '', query = ''] = link.split('?');
  const parameters = new URLSearchParams(query);
  const [, place = ''] = path.split('/place/');
  const texts = [
    decodePart(place.split('/')[0] ?? ''),
    ...PLACE_PARAMETERS.map((name) => parameters.get(name)?.replace(/^loc:/, '') ?? ''),
  ];
  return texts.some((text) => WORD_PATTERN.test(text));
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
