interface PasswordVersion {
  passwordHash: string | null;
  accessEpoch: number;
}

/**
 * Check whether the password is still the one that was compared.
 * Within an epoch the hash may differ: a parallel log-in may have rehashed it with new parameters.
 * @param compared row read before the comparison
 * @param current row read under lock
 */
export function isPasswordUnchanged(compared: PasswordVersion, current: PasswordVersion): boolean {
  if (compared.passwordHash === null || current.passwordHash === null) return false;
  return compared.passwordHash === current.passwordHash || compared.accessEpoch === current.accessEpoch;
}
