interface PasswordVersion {
  passwordHash: string | null;
  accessEpoch: number;
}

/** Within an epoch the hash may differ after a parallel rehash. `current` is read under lock. */
export function isPasswordUnchanged(compared: PasswordVersion, current: PasswordVersion): boolean {
  if (compared.passwordHash === null || current.passwordHash === null) return false;
  return compared.passwordHash === current.passwordHash || compared.accessEpoch === current.accessEpoch;
}
