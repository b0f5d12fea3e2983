import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { pickChanges } from '../../../shared/pick-changes.ts';
import type { UserProfileInput } from './profile.rules.ts';
import type { UserProfileUpdate, UserRow } from './user.repository.ts';
import { USER_PHONE } from './user.view.ts';

export function encryptUserProfileUpdate(
  fieldCipher: FieldCipher,
  userId: string,
  profile: UserProfileInput,
): UserProfileUpdate {
  const { phone, ...rest } = profile;
  const composed = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.normalize('NFC') : value,
    ]),
  );
  if (phone === undefined) return composed;
  return {
    ...composed,
    phone: USER_PHONE.encrypt(fieldCipher, { id: userId }, phone),
  };
}

/** Pick the fields that differ from the stored ones; a new ciphertext differs from that of the same number. */
export function pickUserProfileChanges(
  fieldCipher: FieldCipher,
  row: UserRow,
  { phone, ...rest }: UserProfileInput,
): UserProfileUpdate {
  const stored = USER_PHONE.decrypt(fieldCipher, row);
  const input = phone === undefined || phone === stored ? rest : { ...rest, phone };
  return pickChanges(row, encryptUserProfileUpdate(fieldCipher, row.id, input));
}
