import type { Coordinates } from './contact-links.rules.ts';

const NUMBER_PATTERN = '(-?\\d{1,3}(?:\\.\\d{1,15})?)';
const COORDINATE_PAIR_PATTERN = `${NUMBER_PATTERN}(?:,|%2C)\\s*\\+?${NUMBER_PATTERN}`;

/** With a decimal point: `52,51` is one number where the comma is one. */
const DECIMAL_PATTERN = '(-?\\d{1,3}\\.\\d{1,15})';
const PLAIN_COORDINATES_PATTERN = `^\\s*\\(?${DECIMAL_PATTERN}(?:,|%2C)\\s*\\+?${DECIMAL_PATTERN}\\)?\\s*$`;
const GEO_PATTERN = `^geo:${COORDINATE_PAIR_PATTERN}`;

/** From 15 on, a view shows streets: its center is a place. */
const STREET_ZOOM_PATTERN = '(?:1[5-9]|2\\d)(?:\\.\\d+)?';

/** Formats of map links; exact places come before the center of the view. */
export const MAP_LINK_PATTERNS = [
  // Google Maps: the place itself.
  `!3d${NUMBER_PATTERN}!4d${NUMBER_PATTERN}`,
  // OpenStreetMap: a marker.
  `[?&]mlat=${NUMBER_PATTERN}&mlon=${NUMBER_PATTERN}`,
  // Google, Apple, OsmAnd; also geo:0,0?q=… of Android.
  `[?&](?:q|query|coordinate|pin)=(?:loc:)?${COORDINATE_PAIR_PATTERN}`,
  // Google Maps and HERE: in the path.
  `/(?:search|place|l)/${COORDINATE_PAIR_PATTERN}`,
  // RFC 5870.
  GEO_PATTERN,
  // Google Maps and OpenStreetMap: the center of the view. In satellite view with its height in meters.
  `/@${COORDINATE_PAIR_PATTERN},(?:${STREET_ZOOM_PATTERN}z|\\d{1,3}m|\\d(?:\\.\\d+)?a)`,
  `#map=${STREET_ZOOM_PATTERN}/${NUMBER_PATTERN}/${NUMBER_PATTERN}`,
].map((pattern) => new RegExp(pattern, 'i'));

const VIEW_CENTER_PATTERN = `[?&](?:ll|center)=${COORDINATE_PAIR_PATTERN}`;

/** A place at a close zoom. Without one, `ll` is a place at Apple and Waze, but only the center of a view at Google. */
export const VIEW_CENTER = new RegExp(VIEW_CENTER_PATTERN, 'i');

const MIN_STREET_ZOOM = 15;

/** Sites where `ll` without a zoom is a pin. */
const PIN_SITE_PATTERN = /(?:^|\.)(?:apple|waze)\.com$/;

/** Directions have positions where somebody comes from or goes to. */
const DIRECTIONS_PATTERN = /[?&](?:saddr|daddr|origin|destination)=|\/dir(?:ections)?(?:[/?#]|$)/i;

const PLAIN_COORDINATES = new RegExp(PLAIN_COORDINATES_PATTERN, 'i');

/** Sites of maps whose links have the latitude first; Yandex has the longitude first. */
const MAP_SITE_PATTERN =
  /^(?:(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?\/maps|maps\.google\.[a-z]{2,3}(?:\.[a-z]{2})?\/|maps\.apple\.com\/|(?:www\.)?(?:openstreetmap|osm)\.org\/|(?:www\.|ul\.)?waze\.com\/|osmand\.net\/|(?:share|wego)\.here\.com\/)/;

/**
 * Null where it is not sure that the text names one position: a link of another site, several links, directions, a wide
 * view.
 */
export function parseCoordinates(text: string): Coordinates | null {
  const links = text.match(/(?:https?:\/\/|(?<![a-z])geo:)\S+/gi) ?? [];
  const [link, another] = links;
  if (another !== undefined) return null;
  if (link === undefined) return toCoordinates(PLAIN_COORDINATES.exec(text));
  if (!isMapLink(link) || DIRECTIONS_PATTERN.test(link)) return null;
  for (const pattern of MAP_LINK_PATTERNS) {
    const place = toCoordinates(pattern.exec(link));
    if (place) return place;
  }
  return isPlaceInView(link) ? toCoordinates(VIEW_CENTER.exec(link)) : null;
}

function isPlaceInView(link: string): boolean {
  if (!URL.canParse(link)) return false;
  const { hostname, searchParams } = new URL(link);
  const zoom = searchParams.get('z') ?? searchParams.get('zoom');
  if (zoom !== null) return Number(zoom) >= MIN_STREET_ZOOM;
  const isView = searchParams.has('center') || searchParams.has('spn');
  return PIN_SITE_PATTERN.test(hostname) && !isView;
}

function toCoordinates(match: RegExpExecArray | null): Coordinates | null {
  const [, latitude, longitude] = match ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  const place = { latitude: Number(latitude), longitude: Number(longitude) };
  // Applications send 0,0 for a place that they only have words for.
  const isPlace = place.latitude !== 0 || place.longitude !== 0;
  return isPlace && Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : null;
}

function isMapLink(link: string): boolean {
  if (/^geo:/i.test(link)) return true;
  if (!URL.canParse(link)) return false;
  const { hostname, pathname } = new URL(link);
  return MAP_SITE_PATTERN.test(`${hostname}${pathname}`);
}

const COORDINATES_OR_LINK_PATTERN = `${PLAIN_COORDINATES_PATTERN}|^(?:https?://|geo:)\\S+$|^$`;

export const ONLY_COORDINATES_PATTERN = new RegExp(COORDINATES_OR_LINK_PATTERN, 'i');

/** A word of any script; of Latin letters three, since `N`, `E` and `z` stand beside numbers. */
const WORD_PATTERN = /[a-z]{3}|(?!\p{ASCII})\p{L}/iu;

const PLACE_PARAMETERS = ['q', 'query', 'name', 'label', 'address'];

/** Whether a text says more than the position that it names, if only by the words in a link. */
export function hasTextBesidesCoordinates(text: string): boolean {
  return !ONLY_COORDINATES_PATTERN.test(text) || hasPlaceWords(text);
}

/** Whether a text is nothing but the numbers of a position, so that nothing is lost without it. */
export function isOnlyNumbers(text: string): boolean {
  return !/^https?:/i.test(text) && !hasTextBesidesCoordinates(text);
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
