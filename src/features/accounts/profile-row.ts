import type { Vault } from '../../platform/vault.ts';
import type { Profile } from './profile.rules.ts';
import type { ProfileChange } from './user.repository.ts';
import { phonePlace } from './user.view.ts';

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
