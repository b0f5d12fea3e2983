import type { Static } from 'typebox';
import type { FieldError } from '../../../shared/errors.ts';
import { isTimeZone } from '../../../shared/time-zone.ts';
import type { UserProfileRequest } from './accounts.schemas.ts';

export type UserProfileInput = Static<typeof UserProfileRequest>;

export function findUserProfileErrors(profile: UserProfileInput): FieldError[] {
  const problems: FieldError[] = [];
  if (profile.timeZone !== undefined && !isTimeZone(profile.timeZone)) {
    problems.push({ field: 'timeZone', code: 'UNKNOWN', message: 'Must be an IANA time zone.' });
  }
  return problems;
}

export function findMissingProfileFieldErrors(profile: UserProfileInput): FieldError[] {
  const needed: (keyof UserProfileInput)[] = ['firstName', 'lastName'];
  if (profile.accountType === 'ORGANIZATION') needed.push('organizationName');
  return needed
    .filter((field) => !profile[field])
    .map((field) => ({ field, code: 'REQUIRED', message: 'Is required.' }));
}
