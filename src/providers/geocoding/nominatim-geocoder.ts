import { boundedGet } from './bounded-get.ts';
import type { Geocoder, Place } from './geocoding.port.ts';

const LIMITS = { timeout: 3_000, most: 64 * 1024 };

/** No honest name is longer. */
const LONGEST_NAME = 120;
const LONGEST_ADDRESS = 300;

/** What may be the city of an address, the first that is there. */
const CITY_FIELDS = ['city', 'town', 'village', 'municipality', 'hamlet'];
const REGION_FIELDS = ['state', 'province', 'region', 'county'];

/**
 * A geocoder that asks a server which speaks Nominatim's protocol, one request a call: keep the pace yourself. Rejects
 * with an Error whose message is a reason without anything private: no answer in 3 s, another status than 200 (a
 * redirect too), more than 64 kB, or what is not understood.
 * @param url where `/reverse` is below; https, or http on loopback
 */
export function createNominatimGeocoder({ url, userAgent }: { url: string; userAgent: string }): Geocoder {
  const base = `${url.replace(/\/+$/, '')}/reverse`;
  return {
    name: 'nominatim',
    async locate(latitude, longitude) {
      const asked = new URL(base);
      const query = { format: 'jsonv2', addressdetails: '1', zoom: '18', 'accept-language': 'en' };
      for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value);
      asked.searchParams.set('lat', String(latitude));
      asked.searchParams.set('lon', String(longitude));
      const headers = { accept: 'application/json', 'user-agent': userAgent };
      return placeOf(await boundedGet(asked, headers, LIMITS));
    },
  };
}

/** The place that an answer names; null where it says that there is none. Throws for what is no answer. */
function placeOf(body: Buffer): Place | null {
  const answer = fieldsOf(parsed(body));
  if (!answer) throw new Error('an answer that is not understood');
  const address = fieldsOf(answer.address);
  // Nominatim's own way to say that nothing is there, at sea for example.
  if (!address && typeof answer.error === 'string') return null;
  const country = address?.country_code;
  if (!address || typeof country !== 'string' || !/^[a-z]{2}$/i.test(country))
    throw new Error('an answer that is not understood');
  return {
    address: textOf(answer.display_name, LONGEST_ADDRESS),
    city: firstOf(address, CITY_FIELDS),
    region: firstOf(address, REGION_FIELDS),
    country: country.toUpperCase(),
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // What a parser says would repeat what it was given.
    throw new Error('an answer that is not understood');
  }
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function firstOf(address: Record<string, unknown>, fields: readonly string[]): string | null {
  for (const field of fields) {
    const text = textOf(address[field], LONGEST_NAME);
    if (text !== null) return text;
  }
  return null;
}

/** A text on one line, cut; null for what is none or empty. */
function textOf(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return null;
  const line = value.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
  return [...line].slice(0, longest).join('') || null;
}
