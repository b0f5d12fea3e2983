import { toAsciiDigits } from '../../../shared/ascii-digits.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

export const SHARE_STATES = ['ACTIVE', 'ENDED', 'EXPIRED', 'USED_UP', 'NOT_ALLOWED'] as const;

export type ShareState = (typeof SHARE_STATES)[number];

/** Also the limit of grants of a document. */
export const MAX_ACTIVE_SHARES_PER_DOCUMENT = 100;

/** On the page of a code of kind DOCUMENT. */
export const MAX_OFFERED_DOCUMENTS_PER_CODE = 5;

export interface ShareStateInput {
  passcodeHash: string | null;
  maxViews: number | null;
  views: number;
  expiresAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  requiresStrictSharing: boolean;
}

export function getShareState(share: ShareStateInput, now: Date): ShareState {
  if (share.endedAt) return 'ENDED';
  if (share.expiresAt && share.expiresAt <= now) return 'EXPIRED';
  if (share.maxViews !== null && share.views >= share.maxViews) return 'USED_UP';
  return share.requiresStrictSharing && !meetsStrictSharingRules(share) ? 'NOT_ALLOWED' : 'ACTIVE';
}

/** Null means unlimited. */
export function getShareViewsLeft({
  maxViews,
  views,
}: Pick<ShareStateInput, 'maxViews' | 'views'>): number | null {
  return maxViews === null ? null : Math.max(0, maxViews - views);
}

export interface ShareInput {
  expiresInSeconds?: number | null | undefined;
  expiresAt?: string | null | undefined;
  maxViews?: number | null | undefined;
  passcode?: string | null | undefined;
  oneTime?: boolean | undefined;
}

export function computeRequestedShareExpiry(
  { expiresInSeconds, expiresAt }: ShareInput,
  now: Date,
): Date | null {
  if (expiresAt) return new Date(expiresAt);
  return expiresInSeconds ? new Date(now.getTime() + expiresInSeconds * 1000) : null;
}

export function findShareInputErrors(input: ShareInput, isStrict: boolean, now: Date): FieldError[] {
  const { maxViews = null, passcode = null, oneTime = false } = input;
  const problems: FieldError[] = [];
  if (oneTime && maxViews !== null && maxViews !== 1)
    problems.push({ field: 'maxViews', code: 'NOT_ALLOWED', message: 'Must be 1 if oneTime is set.' });
  if (passcode !== null && normalizePasscode(passcode).length < MIN_PASSCODE_CHARACTERS)
    problems.push({
      field: 'passcode',
      code: 'TOO_SHORT',
      message: 'Must have at least 4 visible characters.',
    });
  if (isStrict && passcode === null)
    problems.push({ field: 'passcode', code: 'REQUIRED', message: 'Is required for a health document.' });
  return [...problems, ...findExpiryProblems(input, isStrict, now)];
}

function findExpiryProblems(input: ShareInput, isStrict: boolean, now: Date): FieldError[] {
  const expiry = computeRequestedShareExpiry(input, now);
  if (!expiry) {
    const message = 'Is required for a health document.';
    return isStrict ? [{ field: 'expiresInSeconds', code: 'REQUIRED', message }] : [];
  }
  const field = input.expiresAt ? 'expiresAt' : 'expiresInSeconds';
  if (input.expiresAt && input.expiresInSeconds)
    return [{ field, code: 'NOT_ALLOWED', message: 'Must not be combined with expiresInSeconds.' }];
  if (expiry <= now) return [{ field, code: 'IN_THE_PAST', message: 'Must be in the future.' }];
  const maxSeconds = isStrict ? LIFETIMES_SECONDS.enterpriseHealthShare : LIFETIMES_SECONDS.maxShareLink;
  if (expiry.getTime() - now.getTime() <= maxSeconds * 1000) return [];
  const scope = isStrict ? ' for a health document' : '';
  return [{ field, code: 'TOO_LARGE', message: `Must be within ${maxSeconds} seconds${scope}.` }];
}

export const MIN_PASSCODE_CHARACTERS = 4;

export function normalizePasscode(typed: string): string {
  return toAsciiDigits(typed.normalize('NFKC')).trim();
}

/** At most the expiry of the share. */
export function computeDownloadTicketExpiry(openedAt: Date, expiresAt: Date | null): Date {
  const end = new Date(openedAt.getTime() + LIFETIMES_SECONDS.documentTicket * 1000);
  return expiresAt && expiresAt < end ? expiresAt : end;
}

function meetsStrictSharingRules({ passcodeHash, expiresAt, createdAt }: ShareStateInput): boolean {
  if (passcodeHash === null || expiresAt === null) return false;
  // createdAt is set slightly later than the moment that the expiry was computed from.
  return expiresAt.getTime() - createdAt.getTime() <= LIFETIMES_SECONDS.enterpriseHealthShare * 1000;
}
