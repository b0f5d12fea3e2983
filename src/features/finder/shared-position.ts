import type { FastifyRequest } from 'fastify';
import { logServiceError, toRequestError } from '../../platform/http/problem-details.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { type Coordinates, createMapLinks } from './contact-links.rules.ts';
import { formatAccuracy } from './formatters.ts';
import { renderIcon } from './sections/icons.ts';

export interface PositionFields {
  latitude?: string;
  longitude?: string;
  accuracy?: string;
}

/** Half the circumference of the Earth. */
const MAX_ACCURACY_METERS = 20_040_000;

/** Digits after the decimal point: about one meter. */
const SHOWN_DIGITS = 5;

/** Null if the position is missing or invalid. */
export function parsePosition(fields: PositionFields): Coordinates | null {
  if (!fields.latitude || !fields.longitude) return null;
  const [latitude, longitude] = [Number(fields.latitude), Number(fields.longitude)];
  // NaN fails both comparisons.
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** Parse the accuracy in meters; null if it is missing or invalid. */
export function parseAccuracy({ accuracy = '' }: PositionFields): number | null {
  const meters = Number(accuracy);
  return accuracy !== '' && meters >= 0 && meters <= MAX_ACCURACY_METERS ? meters : null;
}

/** Format degrees for a map application to read. */
export function formatCoordinates({ latitude, longitude }: Coordinates): string {
  return `${latitude.toFixed(SHOWN_DIGITS)}, ${longitude.toFixed(SHOWN_DIGITS)}`;
}

/** Render what was sent, so that a finder can see whether it is the right place. */
export function renderSharedPosition(
  position: Coordinates,
  accuracyMeters: number | null,
  locale: Locale,
): Html {
  const map = createMapLinks(position).openStreetMap;
  return html`\n<p>${renderIcon('pin')}<bdi dir="ltr">${formatCoordinates(position)}</bdi>${accuracyMeters !== null && html`<br>${formatAccuracy(accuracyMeters, locale)}`}<br><a rel="noopener noreferrer nofollow" href="${map}">${t(locale, 'finder.mapLink')}</a></p>`;
}

/** Say that a position was not stored. The message that it came with is, so the error rejects nothing. */
export function translatePositionError(
  request: FastifyRequest,
  error: unknown,
  locale: Locale,
): { text: string; canRetry: boolean } {
  const problem = toRequestError(request, error);
  logServiceError(request, problem);
  if (problem.code === 'LOCATION_TRAIL_CLOSED')
    return { text: t(locale, 'finder.shareTooMany'), canRetry: false };
  return { text: t(locale, 'finder.shareFailed'), canRetry: problem.statusCode >= 500 };
}

export function renderPositionError(text: string): Html {
  return html`\n<p class="wrong" role="alert">${text}</p>`;
}
