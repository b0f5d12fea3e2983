/** What of an account tells whether its password is still the one that was compared. */
interface PasswordVersion {
  passwordHash: string | null;
  accessEpoch: number;
}

/**
 * Whether an account still has the password that was compared. The stored form may be another within an epoch: a
 * parallel log-in hashes an old form anew.
 * @param compared as it was read before the password was compared
 * @param current as it is under lock
 */
export function isPasswordUnchanged(compared: PasswordVersion, current: PasswordVersion): boolean {
  if (compared.passwordHash === null || current.passwordHash === null) return false;
  return compared.passwordHash === current.passwordHash || compared.accessEpoch === current.accessEpoch;
}
