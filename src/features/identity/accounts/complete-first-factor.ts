import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createPendingLogin, type SecondFactorChallenge } from '../second-factor/pending-login.ts';
import { hasSecondFactor } from '../second-factor/second-factor.repository.ts';
import { confirmLinkedIdentity } from '../sign-in/confirm-identity.ts';
import type { AccountServices } from './account-services.ts';
import { completeLogin } from './complete-login.ts';
import type { CreatedSession } from './create-session.ts';
import type { UserRow } from './user.repository.ts';

export type LoginStepResult =
  | { session: CreatedSession; challenge?: undefined }
  | { challenge: SecondFactorChallenge; session?: undefined };

/**
 * `identityId` is linked when the login is complete. Lock the user first (`lockUser`), so that
 * enabling a second factor meanwhile cannot be bypassed.
 */
export async function completeFirstFactor(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email' | 'passwordHash' | 'accessEpoch' | 'enterpriseMode'>,
  details: { isKnownDevice?: boolean; identityId?: string } = {},
): Promise<LoginStepResult> {
  const { isKnownDevice = false, identityId = null } = details;
  if (!(await hasSecondFactor(tx, user.id))) {
    if (identityId) await confirmLinkedIdentity(services, context, tx, identityId, user.id);
    return { session: await completeLogin(services, context, tx, user, { isKnownDevice }) };
  }
  const challenge = await createPendingLogin(services.fieldCipher, tx, user, identityId);
  await recordAuditEntry(tx, context, {
    action: 'MFA_REQUIRED',
    resourceType: 'USER',
    resourceId: user.id,
    actorId: user.id,
    storeFullAddress: true,
  });
  return { challenge };
}
