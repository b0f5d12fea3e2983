import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { insertPendingLogin } from './pending-login.repository.ts';

interface LoginUser {
  id: string;
  passwordHash: string | null;
  accessEpoch: number;
}

export interface SecondFactorChallenge {
  mfaToken: string;
  expiresIn: number;
}

/** The login is bound to the user's current password and access epoch: `revokeUserAccess` invalidates it. */
export async function createPendingLogin(
  fieldCipher: FieldCipher,
  tx: Tx,
  user: LoginUser,
  identityId: string | null,
): Promise<SecondFactorChallenge> {
  const mfaToken = randomBytes(32).toString('base64url');
  await insertPendingLogin(tx, {
    tokenHash: hashPendingLoginToken(fieldCipher, mfaToken),
    userId: user.id,
    loginFingerprint: computeLoginFingerprint(fieldCipher, user),
    identityId,
    expiresAt: new Date(Date.now() + LIFETIMES_SECONDS.pendingLogin * 1000),
  });
  return { mfaToken, expiresIn: LIFETIMES_SECONDS.pendingLogin };
}

export function hashPendingLoginToken(fieldCipher: FieldCipher, mfaToken: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('pending-login', mfaToken);
}

/** Changes with the stored password and the access epoch, and reveals nothing about them. */
export function computeLoginFingerprint(
  fieldCipher: FieldCipher,
  { id, passwordHash, accessEpoch }: LoginUser,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('password-state', id, passwordHash ?? '', String(accessEpoch));
}
