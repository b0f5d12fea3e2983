import { sendHttpRequest } from '../../shared/http-client.ts';
import { resolveAllowedHostAddresses } from '../../shared/public-address.ts';
import type { GeocodedPlace, Geocoder } from './geocoding.port.ts';

const REQUEST_LIMITS = { timeoutMs: 3_000, maxResponseBytes: 64 * 1024 };

/** Longer than any real name. */
const MAX_NAME_LENGTH = 120;
const MAX_ADDRESS_LENGTH = 300;

/** Fields for the city, by preference. */
const CITY_FIELDS = ['city', 'town', 'village', 'municipality', 'hamlet'];
const REGION_FIELDS = ['state', 'province', 'region', 'county'];

/** Limit the rate in the caller; errors contain no personal data. @param url parent of `/reverse` */
export function createNominatimGeocoder({ url, userAgent }: { url: string; userAgent: string }): Geocoder {
  const base = `${url.replace(/\/+$/, '')}/reverse`;
  return {
    name: 'nominatim',
    async reverseGeocode(latitude, longitude) {
      const requestUrl = new URL(base);
      const query = { format: 'jsonv2', addressdetails: '1', zoom: '18', 'accept-language': 'en' };
      for (const [name, value] of Object.entries(query)) requestUrl.searchParams.set(name, value);
      requestUrl.searchParams.set('lat', String(latitude));
      requestUrl.searchParams.set('lon', String(longitude));
      const headers = { accept: 'application/json', 'user-agent': userAgent };
      const response = await sendHttpRequest(requestUrl, {
        ...REQUEST_LIMITS,
        headers,
        resolveAddresses: resolveAllowedHostAddresses,
      });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      return parsePlace(response.body);
    },
  };
}

/** Parse a place; null when the response reports none. @throws Error for an invalid response */
function parsePlace(body: Buffer): GeocodedPlace | null {
  const response = asRecord(parseJson(body));
  if (!response) throw new Error('invalid response');
  const address = asRecord(response.address);
  // Nominatim reports "no place" as an error, at sea for example.
  if (!address && typeof response.error === 'string') return null;
  const country = address?.country_code;
  if (!address || typeof country !== 'string' || !/^[a-z]{2}$/i.test(country))
    throw new Error('invalid response');
  return {
    address: toSingleLineText(response.display_name, MAX_ADDRESS_LENGTH),
    city: findFirstText(address, CITY_FIELDS),
    region: findFirstText(address, REGION_FIELDS),
    country: country.toUpperCase(),
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's message would contain the response.
    throw new Error('invalid response');
  }
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function findFirstText(address: Record<string, unknown>, fields: readonly string[]): string | null {
  for (const field of fields) {
    const text = toSingleLineText(address[field], MAX_NAME_LENGTH);
    if (text !== null) return text;
  }
  return null;
}

function toSingleLineText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const line = value.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
  return [...line].slice(0, maxLength).join('') || null;
}
