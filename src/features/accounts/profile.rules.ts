import type { Static } from 'typebox';
import type { Vault } from '../../platform/vault.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { ProfileFields } from './accounts.schemas.ts';
import type { ProfileChange } from './user.repository.ts';
import { phonePlace } from './user.view.ts';

export type Profile = Static<typeof ProfileFields>;

/** What is wrong with profile fields beyond their shape; nothing for fields that are not given. */
export function profileProblems(profile: Profile): FieldError[] {
  const problems: FieldError[] = [];
  if (profile.timeZone !== undefined && !isTimeZone(profile.timeZone)) {
    problems.push({ field: 'timeZone', code: 'UNKNOWN', message: 'Not a time zone of the IANA database.' });
  }
  return problems;
}

/** What is missing before a profile is complete. */
export function missingFields(profile: Profile): FieldError[] {
  const needed: (keyof Profile)[] = ['firstName', 'lastName'];
  if (profile.accountType === 'ORGANIZATION') needed.push('organizationName');
  return needed
    .filter((field) => !profile[field])
    .map((field) => ({ field, code: 'REQUIRED', message: 'Must be given.' }));
}

/** Profile fields as the table takes them: names in Unicode's composed form, the phone number encrypted. */
export function profileChange(vault: Vault, userId: string, profile: Profile): ProfileChange {
  const { phone, ...rest } = profile;
  const composed = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.normalize('NFC') : value,
    ]),
  );
  if (phone === undefined) return composed;
  return { ...composed, phone: phone === null ? null : vault.seal(phonePlace(userId), phone) };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
