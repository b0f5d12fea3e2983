export const SECRET_VARIABLE_NAMES = [
  'JWT_SECRET',
  'HASH_SECRET',
  'PASSWORD_PEPPERS',
  'ENCRYPTION_KEYS',
  'AUDIT_SIGNING_KEY',
] as const;

/** Keys and peppers have check values of their own, by id. */
export const CHECKED_SECRET_NAMES = ['JWT_SECRET', 'HASH_SECRET', 'AUDIT_SIGNING_KEY'] as const;

export type CheckedSecretName = (typeof CHECKED_SECRET_NAMES)[number];

/**
 * Values by variable name: the first two and the last are 32 random bytes in base64, the others lists of
 * `<id>:<base64 of 32 bytes>`, the first in use. Encryption keys only where the variable sets them, else in
 * their own file.
 */
export interface Secrets {
  JWT_SECRET: string;
  HASH_SECRET: string;
  PASSWORD_PEPPERS: string;
  ENCRYPTION_KEYS?: string | undefined;
  AUDIT_SIGNING_KEY: string;
}
