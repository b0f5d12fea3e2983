import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '../../../platform/database.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';
import { insertPasswordResetIfLoginAllowed } from './password-reset.repository.ts';

export const PASSWORD_RESET_LINK_MINUTES = LIFETIMES_SECONDS.passwordResetLink / 60;

/** Create a link for one reset; `userId` is null, and the link useless, where the address cannot log in. */
export async function createPasswordResetLink(
  { applicationUrl, frontendUrl }: Pick<AccountServices, 'applicationUrl' | 'frontendUrl'>,
  tx: Tx,
  email: string,
): Promise<{ link: string; userId: string | null }> {
  const token = randomBytes(32).toString('base64url');
  const userId = await insertPasswordResetIfLoginAllowed(tx, {
    email,
    tokenHash: hashResetToken(token),
    expiresAt: new Date(Date.now() + LIFETIMES_SECONDS.passwordResetLink * 1000),
  });
  // A fragment reaches no server, log or Referer header.
  return { link: `${applicationUrl ?? frontendUrl}/reset-password#token=${token}`, userId };
}

export function hashResetToken(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}
