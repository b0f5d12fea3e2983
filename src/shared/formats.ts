import { normalizeEmail } from './email.ts';
import { isListCursor } from './list-cursor.ts';
import { isPartialDate } from './partial-date.ts';
import { isPhone } from './phone.ts';
import { isTimeCursor } from './time-cursor.ts';
import { isTimeRangeBound } from './time-range.ts';

interface TextFormat {
  isValid(text: string): boolean;
  /** Code of the field error. */
  code: string;
  message: string;
}

/** Formats of the schemas beside those of JSON Schema. */
export const FORMATS: Readonly<Record<string, TextFormat>> = {
  email: {
    isValid: (text) => normalizeEmail(text) !== null,
    code: 'BAD_FORMAT',
    message: 'Must be an email address.',
  },
  phone: { isValid: isPhone, code: 'BAD_FORMAT', message: 'Must be a phone number.' },
  'partial-date': {
    isValid: isPartialDate,
    code: 'BAD_FORMAT',
    message: 'Must be a date of the calendar: YYYY, YYYY-MM or YYYY-MM-DD.',
  },
  'time-zone': { isValid: isTimeZone, code: 'UNKNOWN', message: 'Must be an IANA time zone.' },
  'date-or-date-time': {
    isValid: isTimeRangeBound,
    code: 'OUT_OF_RANGE',
    message: 'Must be a date, or a date-time with offset, between the years 1970 and 2100.',
  },
  cursor: {
    isValid: isListCursor,
    code: 'BAD_FORMAT',
    message: 'Must be start, or nextCursor of a previous page.',
  },
  'time-cursor': { isValid: isTimeCursor, code: 'BAD_FORMAT', message: 'Must be from a link of a page.' },
};

/** Of Java, which ICU knows beside IANA's: PostgreSQL lacks them, or has them for another zone. */
const LEGACY_TIME_ZONE_PATTERN =
  /^(?:A[CEGRS]T|BET|BST|C[ANST]T|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|P[LNRS]T|SST|VST|US\/Pacific-New|SystemV\/.*)$/i;

/** Check for an IANA time zone; offsets are rejected, since programs disagree on their sign. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || LEGACY_TIME_ZONE_PATTERN.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
