/** The variables that hold the secrets of the service. */
export const SECRET_NAMES = [
  'JWT_SECRET',
  'HASH_SECRET',
  'PASSWORD_PEPPERS',
  'ENCRYPTION_KEYS',
  'AUDIT_SIGNING_KEY',
] as const;

/**
 * The secrets in the form of their variables: the first two and the last are base64 of 32 random bytes, the others
 * lists of `<id>:<base64 of 32 bytes>`, of which the first is the one in use. Encryption keys are only here where the
 * variable holds them, and in a file of their own else.
 */
export interface Secrets {
  JWT_SECRET: string;
  HASH_SECRET: string;
  PASSWORD_PEPPERS: string;
  ENCRYPTION_KEYS?: string | undefined;
  AUDIT_SIGNING_KEY: string;
}
