/** What of an account tells whether its password is still the one that was compared. */
interface PasswordState {
  passwordHash: string | null;
  accessEpoch: number;
}

/**
 * Whether an account still has the password that was compared. The stored form may be another within an epoch: a
 * parallel log-in hashes an old form anew.
 * @param compared as it was read before the password was compared
 * @param now as it is under lock
 */
export function isSamePassword(compared: PasswordState, now: PasswordState): boolean {
  if (compared.passwordHash === null || now.passwordHash === null) return false;
  return compared.passwordHash === now.passwordHash || compared.accessEpoch === now.accessEpoch;
}
