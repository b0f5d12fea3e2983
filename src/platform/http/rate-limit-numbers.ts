/** Of an account, or of an address without one. */
export const MAX_REQUESTS_PER_CLIENT = {
  read: 300,
  write: 120,
  auth: 20,
  // Tokens without a MAC, of all people of an office; a token has 256 bits.
  refresh: 600,
  'public-read': 120,
  'public-scan': 300,
  upload: 20,
  static: 600,
  page: 300,
  // All events of a provider come from few addresses.
  webhook: 30_000,
  'not-found': 60,
} as const;

/** Where programs have another limit than accounts. */
export const MAX_REQUESTS_PER_API_KEY: Partial<Record<RateLimitClass, number>> = { read: 600, write: 300 };

/** Of a session whose refresh token has its MAC; a client refreshes once in 15 minutes. */
export const MAX_REFRESHES_PER_SESSION = 30;

/** All keys of an account together have this many times the limit of one. */
export const API_KEYS_FACTOR = 4;

/**
 * All accounts and keys of an address, or an IPv6 /48, together have this many times the limit of a client: of 300 people
 * each can read three times a second.
 */
export const SHARED_ADDRESS_FACTOR = 200;

/** Of an account, and of an address whatever accounts it uses. */
export const MAX_REQUESTS_PER_CODE: Partial<Record<RateLimitClass, number>> = { 'public-scan': 30 };

/**
 * Requests without an account that leave something on the disk, of a client in a day: visits of pages that are recorded,
 * and all that are not reads. Each leaves a few kB; pages are shown beyond it, too.
 */
export const MAX_STORED_REQUESTS_PER_DAY = 20_000;

/** Pages that are shown above the limits, without a record, until none is. Per code, so that one code cannot use all. */
export const MAX_PAGES_ABOVE_LIMIT = { address: 300, code: 90 };

/** Pages of unknown codes. */
export const MAX_UNKNOWN_PAGES = 60;

export const WINDOW_MS = 60_000;

/** An IPv6 /48 has 65,536 client networks (/64) but is often one customer: together this many times one limit. */
export const IPV6_SITE_FACTOR = 10;

export type RateLimitClass = keyof typeof MAX_REQUESTS_PER_CLIENT;
