import { PushError } from './push.port.ts';
import { DEFAULT_QUOTA_RETRY_SECONDS, parseRetryAfter } from './retry-after.ts';

export interface FcmResponse {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/** @throws PushError unless the push was accepted */
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
  // The device is of another project; it is kept, since our project may be wrong.
  if (code === 'SENDER_ID_MISMATCH') throw new PushError('REFUSED', 'SENDER_ID_MISMATCH');
  // Also 401, but not about our account: the key for Apple or Web Push at Firebase. Android works.
  if (code === 'THIRD_PARTY_AUTH_ERROR' || (status === 401 && isPlatformError(error)))
    throw new PushError('PLATFORM_CREDENTIALS', 'PLATFORM_CREDENTIALS');
  // A 404 without a device error is about the project; no device may be deleted for it.
  if (status === 401 || status === 403 || status === 404) throw new PushError('CREDENTIALS', 'CREDENTIALS');
  if (status === 400 && isTokenError(error)) throw new PushError('DEVICE_GONE', 'INVALID_TOKEN');
  if (status >= 400) throw new PushError('REFUSED', 'INVALID_ARGUMENT');
  throw new PushError('BUSY', 'UNREADABLE_ANSWER');
}

/** The FCM error code is more exact than the status. */
function getFcmErrorCode(error: unknown): unknown {
  const found = readArray(error, 'details').find((detail) => readProperty(detail, 'errorCode') !== undefined);
  return readProperty(found, 'errorCode');
}

/** Some responses lack the code. */
function isPlatformError(error: unknown): boolean {
  const isOfApple = readArray(error, 'details').some((detail) =>
    String(readProperty(detail, '@type')).endsWith('.ApnsError'),
  );
  return isOfApple || /error from APNS/i.test(String(readProperty(error, 'message')));
}

function isTokenError(error: unknown): boolean {
  const violations = readArray(error, 'details').flatMap((detail) => readArray(detail, 'fieldViolations'));
  if (violations.length > 0)
    return violations.some((violation) => readProperty(violation, 'field') === 'message.token');
  return /registration token/i.test(String(readProperty(error, 'message')));
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
