import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { Profile } from './profile.rules.ts';
import type { ProfileUpdate } from './user.repository.ts';
import { getPhoneLocation } from './user.view.ts';

export function toProfileUpdate(fieldCipher: FieldCipher, userId: string, profile: Profile): ProfileUpdate {
  const { phone, ...rest } = profile;
  const composed = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.normalize('NFC') : value,
    ]),
  );
  if (phone === undefined) return composed;
  return { ...composed, phone: phone === null ? null : fieldCipher.encrypt(getPhoneLocation(userId), phone) };
}
