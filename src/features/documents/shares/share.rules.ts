import { toAsciiDigits } from '../../../shared/ascii-digits.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/** What can be the matter with a share. */
export const SHARE_STATES = ['ACTIVE', 'ENDED', 'EXPIRED', 'USED_UP', 'NOT_ALLOWED'] as const;

export type ShareState = (typeof SHARE_STATES)[number];

/** Shares of a document that can be opened at the same time, and people that it can be given to. */
export const MAX_ACTIVE_SHARES = 100;

/** What decides whether a share can be opened. */
export interface ShareStateInput {
  passcodeHash: string | null;
  maxViews: number | null;
  views: number;
  expiresAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  /** Whether the rules of enterprise mode for health documents hold for it. */
  requiresStrictSharing: boolean;
}

/** Whether a share can be opened at this moment, and why not. */
export function getShareState(share: ShareStateInput, now: Date): ShareState {
  if (share.endedAt) return 'ENDED';
  if (share.expiresAt && share.expiresAt <= now) return 'EXPIRED';
  if (share.maxViews !== null && share.views >= share.maxViews) return 'USED_UP';
  return share.requiresStrictSharing && !meetsStrictSharingRules(share) ? 'NOT_ALLOWED' : 'ACTIVE';
}

/** How often it can still be opened; null is without limit. */
export function getViewsLeft({
  maxViews,
  views,
}: Pick<ShareStateInput, 'maxViews' | 'views'>): number | null {
  return maxViews === null ? null : Math.max(0, maxViews - views);
}

/** What somebody asks for with a new share. */
export interface ShareInput {
  expiresInSeconds?: number | null | undefined;
  /** The same end, by the clock. */
  expiresAt?: string | null | undefined;
  maxViews?: number | null | undefined;
  passcode?: string | null | undefined;
  oneTime?: boolean | undefined;
}

/** The end that is asked for, in whichever way; null is none. */
export function getRequestedExpiry({ expiresInSeconds, expiresAt }: ShareInput, now: Date): Date | null {
  if (expiresAt) return new Date(expiresAt);
  return expiresInSeconds ? new Date(now.getTime() + expiresInSeconds * 1000) : null;
}

/** What is wrong with it beyond the shape of its fields. */
export function findShareProblems(input: ShareInput, isStrict: boolean, now: Date): FieldError[] {
  const { maxViews = null, passcode = null, oneTime = false } = input;
  const problems: FieldError[] = [];
  if (oneTime && maxViews !== null && maxViews !== 1)
    problems.push({ field: 'maxViews', code: 'NOT_ALLOWED', message: 'Must be 1 with oneTime.' });
  if (passcode !== null && normalizePasscode(passcode).length < MIN_PASSCODE_CHARACTERS)
    problems.push({ field: 'passcode', code: 'TOO_SHORT', message: 'Must have 4 characters to see.' });
  if (isStrict && passcode === null)
    problems.push({ field: 'passcode', code: 'REQUIRED', message: 'A health document needs a passcode.' });
  return [...problems, ...findExpiryProblems(input, isStrict, now)];
}

function findExpiryProblems(input: ShareInput, isStrict: boolean, now: Date): FieldError[] {
  const end = getRequestedExpiry(input, now);
  if (!end) {
    const message = 'A health document needs an end.';
    return isStrict ? [{ field: 'expiresInSeconds', code: 'REQUIRED', message }] : [];
  }
  const field = input.expiresAt ? 'expiresAt' : 'expiresInSeconds';
  if (input.expiresAt && input.expiresInSeconds)
    return [{ field, code: 'NOT_ALLOWED', message: 'Must not be given with expiresInSeconds.' }];
  if (end <= now) return [{ field, code: 'IN_THE_PAST', message: 'Must lie in the future.' }];
  const longest = isStrict ? LIFETIMES_SECONDS.enterpriseHealthShare : LIFETIMES_SECONDS.maxShareLink;
  if (end.getTime() - now.getTime() <= longest * 1000) return [];
  const what = isStrict ? ' for a health document' : '';
  return [{ field, code: 'TOO_LARGE', message: `Must be within ${longest} seconds${what}.` }];
}

export const MIN_PASSCODE_CHARACTERS = 4;

/** A passcode as it is hashed: however a keyboard composes it, with whatever digits, without blanks around it. */
export function normalizePasscode(typed: string): string {
  return toAsciiDigits(typed.normalize('NFKC')).trim();
}

/** The end of what an opening gives: after a time of its own, or with the share. */
export function computeTicketExpiry(openedAt: Date, expiresAt: Date | null): Date {
  const end = new Date(openedAt.getTime() + LIFETIMES_SECONDS.documentTicket * 1000);
  return expiresAt && expiresAt < end ? expiresAt : end;
}

function meetsStrictSharingRules({ passcodeHash, expiresAt, createdAt }: ShareStateInput): boolean {
  if (passcodeHash === null || expiresAt === null) return false;
  // The row's own time is a moment later than what the end was reckoned from.
  return expiresAt.getTime() - createdAt.getTime() <= LIFETIMES_SECONDS.enterpriseHealthShare * 1000;
}
