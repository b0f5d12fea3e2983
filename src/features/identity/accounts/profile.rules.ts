import type { Static } from 'typebox';
import type { FieldError } from '../../../shared/errors.ts';
import type { UserProfileRequest } from './accounts.schemas.ts';

export type UserProfileInput = Static<typeof UserProfileRequest>;

export function findMissingProfileFieldErrors(profile: UserProfileInput): FieldError[] {
  const needed: (keyof UserProfileInput)[] = ['firstName', 'lastName'];
  if (profile.accountType === 'ORGANIZATION') needed.push('organizationName');
  return needed
    .filter((field) => !profile[field])
    .map((field) => ({ field, code: 'REQUIRED', message: 'Is required.' }));
}
