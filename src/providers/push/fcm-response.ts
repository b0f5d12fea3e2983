import { PushError } from './push.port.ts';

/** An answer of the provider, whatever it is. */
export interface FcmResponse {
  status: number;
  /** The header Retry-After. */
  retryAfter: string | undefined;
  text: string;
}

/** Seconds that are waited at most, and for a quota where the server does not say how long, as Firebase asks for. */
const MAX_RETRY_AFTER_SECONDS = 60 * 60;
const DEFAULT_QUOTA_RETRY_SECONDS = 60;

/** Returns where a push was taken; throws a PushError otherwise. */
export function assertFcmAccepted(response: FcmResponse, now = Date.now()): void {
  const { status } = response;
  const body = parseJson(response.text);
  if (status === 200) {
    if (typeof readProperty(body, 'name') === 'string') return;
    throw new PushError('BUSY', 'UNREADABLE_ANSWER');
  }
  const error = readProperty(body, 'error');
  const code = getFcmErrorCode(error);
  const retryAfterSeconds = parseRetryAfter(response.retryAfter, now);
  if (status === 429)
    throw new PushError('BUSY', 'QUOTA_EXCEEDED', retryAfterSeconds ?? DEFAULT_QUOTA_RETRY_SECONDS);
  if (status >= 500) throw new PushError('BUSY', 'UNAVAILABLE', retryAfterSeconds);
  if (code === 'UNREGISTERED') throw new PushError('DEVICE_GONE', 'UNREGISTERED');
  // The device is of another project: it is kept, since ours may be the wrong one.
  if (code === 'SENDER_ID_MISMATCH') throw new PushError('REFUSED', 'SENDER_ID_MISMATCH');
  // A 404 that says nothing of the device is of the project; by it no device may be forgotten.
  if (status === 401 || status === 403 || status === 404) throw new PushError('CREDENTIALS', 'CREDENTIALS');
  if (status === 400 && isTokenError(error)) throw new PushError('DEVICE_GONE', 'INVALID_TOKEN');
  if (status >= 400) throw new PushError('REFUSED', 'INVALID_ARGUMENT');
  throw new PushError('BUSY', 'UNREADABLE_ANSWER');
}

/** The interface's own code of an error, more exact than its status. */
function getFcmErrorCode(error: unknown): unknown {
  const found = readArray(error, 'details').find((detail) => readProperty(detail, 'errorCode') !== undefined);
  return readProperty(found, 'errorCode');
}

function isTokenError(error: unknown): boolean {
  const violations = readArray(error, 'details').flatMap((detail) => readArray(detail, 'fieldViolations'));
  if (violations.length > 0)
    return violations.some((violation) => readProperty(violation, 'field') === 'message.token');
  return /registration token/i.test(String(readProperty(error, 'message')));
}

/** Seconds of a Retry-After, which may also be a time; an hour at most. */
function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readArray(value: unknown, key: string): unknown[] {
  const member = readProperty(value, key);
  return Array.isArray(member) ? member : [];
}

function readProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
