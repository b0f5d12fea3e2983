import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createPendingLogin, type SecondFactorChallenge } from '../second-factor/pending-login.ts';
import { hasSecondFactor } from '../second-factor/second-factor.repository.ts';
import type { AccountServices } from './account-services.ts';
import { completeLogin } from './complete-login.ts';
import type { CreatedSession } from './create-session.ts';
import type { UserRow } from './user.repository.ts';

/** What the first step of a log-in leads to: a session, or the second step. */
export type LoginStepResult =
  | { session: CreatedSession; challenge?: undefined }
  | { challenge: SecondFactorChallenge; session?: undefined };

/**
 * Lets a person in who has shown who they are by a password or an identity provider: opens a session, recorded as
 * the route's action; where they have a second factor it is asked for first, and nothing is open yet. The person is
 * locked (`lockUser`), so that one who switches the second factor on ends this session, or is seen here.
 */
export async function completeFirstFactor(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email' | 'passwordHash' | 'enterpriseMode'>,
  isKnownDevice = false,
): Promise<LoginStepResult> {
  if (!(await hasSecondFactor(tx, user.id)))
    return { session: await completeLogin(services, context, tx, user, { isKnownDevice }) };
  const challenge = await createPendingLogin(services.fieldCipher, tx, user);
  await recordAuditEntry(tx, context, {
    action: 'MFA_REQUIRED',
    resourceType: 'USER',
    resourceId: user.id,
    actorId: user.id,
    storeFullAddress: true,
  });
  return { challenge };
}
