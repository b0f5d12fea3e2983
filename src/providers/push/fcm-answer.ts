import { PushError } from './push.port.ts';

/** An answer of the provider, whatever it is. */
export interface Answer {
  status: number;
  /** The header Retry-After. */
  retryAfter: string | undefined;
  text: string;
}

/** Seconds that are waited at most, and for a quota where the server does not say how long, as Firebase asks for. */
const LONGEST_WAIT = 60 * 60;
const WAIT_FOR_QUOTA = 60;

/** Returns where a push was taken; throws a PushError otherwise. */
export function checkAnswer(answer: Answer, now = Date.now()): void {
  const { status } = answer;
  const body = parsed(answer.text);
  if (status === 200) {
    if (typeof memberOf(body, 'name') === 'string') return;
    throw new PushError('BUSY', 'UNREADABLE_ANSWER');
  }
  const error = memberOf(body, 'error');
  const code = errorCodeOf(error);
  const wait = secondsOf(answer.retryAfter, now);
  if (status === 429) throw new PushError('BUSY', 'QUOTA_EXCEEDED', wait ?? WAIT_FOR_QUOTA);
  if (status >= 500) throw new PushError('BUSY', 'UNAVAILABLE', wait);
  if (code === 'UNREGISTERED') throw new PushError('DEVICE_GONE', 'UNREGISTERED');
  // The device is of another project: it is kept, since ours may be the wrong one.
  if (code === 'SENDER_ID_MISMATCH') throw new PushError('REFUSED', 'SENDER_ID_MISMATCH');
  // A 404 that says nothing of the device is of the project; by it no device may be forgotten.
  if (status === 401 || status === 403 || status === 404) throw new PushError('CREDENTIALS', 'CREDENTIALS');
  if (status === 400 && isAboutToken(error)) throw new PushError('DEVICE_GONE', 'INVALID_TOKEN');
  if (status >= 400) throw new PushError('REFUSED', 'INVALID_ARGUMENT');
  throw new PushError('BUSY', 'UNREADABLE_ANSWER');
}

/** The interface's own code of an error, more exact than its status. */
function errorCodeOf(error: unknown): unknown {
  const found = listAt(error, 'details').find((detail) => memberOf(detail, 'errorCode') !== undefined);
  return memberOf(found, 'errorCode');
}

function isAboutToken(error: unknown): boolean {
  const violations = listAt(error, 'details').flatMap((detail) => listAt(detail, 'fieldViolations'));
  if (violations.length > 0) return violations.some((one) => memberOf(one, 'field') === 'message.token');
  return /registration token/i.test(String(memberOf(error, 'message')));
}

/** Seconds of a Retry-After, which may also be a time; an hour at most. */
function secondsOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return seconds > 0 ? Math.min(seconds, LONGEST_WAIT) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function listAt(value: unknown, key: string): unknown[] {
  const member = memberOf(value, key);
  return Array.isArray(member) ? member : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
