import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { UserProfileInput } from './profile.rules.ts';
import type { UserProfileUpdate } from './user.repository.ts';
import { getPhoneFieldLocation } from './user.view.ts';

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
    phone: phone === null ? null : fieldCipher.encrypt(getPhoneFieldLocation(userId), phone),
  };
}
