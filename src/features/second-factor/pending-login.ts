import { randomBytes } from 'node:crypto';
import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { insertPendingLogin } from './pending-login.repository.ts';

/** What a log-in answers that needs a second factor. */
export interface SecondFactorStep {
  /** For POST /api/auth/mfa/verify alone: it is no credential. */
  mfaToken: string;
  /** Seconds. */
  expiresIn: number;
}

/** Keeps a log-in whose first step was right, bound to the person and to their password as it is. */
export async function awaitSecondFactor(
  vault: Vault,
  tx: Tx,
  user: { id: string; passwordHash: string | null },
): Promise<SecondFactorStep> {
  const mfaToken = randomBytes(32).toString('base64url');
  await insertPendingLogin(tx, {
    tokenHash: pendingLoginHash(vault, mfaToken),
    userId: user.id,
    passwordState: passwordState(vault, user),
    expiresAt: new Date(Date.now() + LIFETIMES.pendingLogin * 1000),
  });
  return { mfaToken, expiresIn: LIFETIMES.pendingLogin };
}

/** The form in which the token of a waiting log-in is stored. */
export function pendingLoginHash(vault: Vault, mfaToken: string): Buffer<ArrayBuffer> {
  return vault.hash('pending-login', mfaToken);
}

/** Changes with the stored password, and tells nothing of it. */
export function passwordState(vault: Vault, user: { id: string; passwordHash: string | null }) {
  return vault.hash('password-state', user.id, user.passwordHash ?? '');
}
