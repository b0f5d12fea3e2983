/** Degrees (WGS 84). */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

const NUMBER_PATTERN = '(-?\\d{1,3}(?:\\.\\d{1,15})?)';
const COORDINATE_PAIR_PATTERN = `${NUMBER_PATTERN}(?:,|%2C)\\s*\\+?${NUMBER_PATTERN}`;

const PLAIN_COORDINATES_PATTERN = `^\\s*\\(?${COORDINATE_PAIR_PATTERN}\\)?\\s*$`;

/** Formats of map links; exact places come before the center of the view. */
const MAP_LINK_PATTERNS = [
  // Google Maps: the place itself.
  `!3d${NUMBER_PATTERN}!4d${NUMBER_PATTERN}`,
  // RFC 5870.
  `^geo:${COORDINATE_PAIR_PATTERN}`,
  // OpenStreetMap: a marker.
  `[?&]mlat=${NUMBER_PATTERN}&mlon=${NUMBER_PATTERN}`,
  // Google, Apple, Bing, Yandex, Waze and others.
  `[?&](?:q|query|ll|sll|daddr|destination|cp|center|coordinate|at|loc)=(?:loc:)?${COORDINATE_PAIR_PATTERN}`,
  // Google Maps and OpenStreetMap: the center of the view.
  `/@${COORDINATE_PAIR_PATTERN}`,
  `#map=\\d{1,2}(?:\\.\\d+)?/${NUMBER_PATTERN}/${NUMBER_PATTERN}`,
  PLAIN_COORDINATES_PATTERN,
].map((pattern) => new RegExp(pattern, 'i'));

/** Parse the coordinates in a map link or in a text of two numbers. */
export function parseCoordinates(text: string): Coordinates | null {
  for (const pattern of MAP_LINK_PATTERNS) {
    const [, latitude, longitude] = pattern.exec(text) ?? [];
    if (latitude === undefined || longitude === undefined) continue;
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    if (Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180) return place;
  }
  return null;
}

/** Whether a text contains more than a link or coordinates. */
export function hasMoreThanCoordinates(text: string): boolean {
  return !new RegExp(`${PLAIN_COORDINATES_PATTERN}|^(?:https?://|geo:)\\S+$|^$`, 'i').test(text);
}
