/** A place on the Earth, in degrees (WGS 84). */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

const NUMBER = '(-?\\d{1,3}(?:\\.\\d{1,15})?)';
const PAIR = `${NUMBER}(?:,|%2C)\\s*\\+?${NUMBER}`;

/** What phones copy. */
const TWO_NUMBERS = `^\\s*\\(?${PAIR}\\)?\\s*$`;

/** How maps write a place into a link, the exact place before what the window shows. */
const PATTERNS = [
  // Google Maps: the place itself.
  `!3d${NUMBER}!4d${NUMBER}`,
  // RFC 5870.
  `^geo:${PAIR}`,
  // OpenStreetMap: a marker.
  `[?&]mlat=${NUMBER}&mlon=${NUMBER}`,
  // Google, Apple, Bing, Yandex, Waze and others.
  `[?&](?:q|query|ll|sll|daddr|destination|cp|center|coordinate|at|loc)=(?:loc:)?${PAIR}`,
  // Google Maps and OpenStreetMap: the middle of the window.
  `/@${PAIR}`,
  `#map=\\d{1,2}(?:\\.\\d+)?/${NUMBER}/${NUMBER}`,
  TWO_NUMBERS,
].map((pattern) => new RegExp(pattern, 'i'));

/** The place that a link of a map, or a text of two numbers, names; null where it names none. */
export function placeIn(text: string): Coordinates | null {
  for (const pattern of PATTERNS) {
    const [, latitude, longitude] = pattern.exec(text) ?? [];
    if (latitude === undefined || longitude === undefined) continue;
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    if (Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180) return place;
  }
  return null;
}

/** Whether a text says more than a link or two numbers do. */
export function saysMore(text: string): boolean {
  return !new RegExp(`${TWO_NUMBERS}|^(?:https?://|geo:)\\S+$|^$`, 'i').test(text);
}
