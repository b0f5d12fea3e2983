import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { awaitSecondFactor, type SecondFactorStep } from '../second-factor/pending-login.ts';
import { hasSecondFactor } from '../second-factor/second-factor.repository.ts';
import type { AccountServices } from './account-services.ts';
import { letIn } from './let-in.ts';
import type { OpenedSession } from './open-session.ts';
import type { UserRow } from './user.repository.ts';

/** What the first step of a log-in leads to: a session, or the second step. */
export type Admission =
  | { session: OpenedSession; step?: undefined }
  | { step: SecondFactorStep; session?: undefined };

/**
 * Lets a person in who has shown who they are by a password or an identity provider: opens a session, recorded as
 * the route's action; where they have a second factor it is asked for first, and nothing is open yet. The person is
 * locked (`lockUser`), so that one who switches the second factor on ends this session, or is seen here.
 */
export async function admit(
  services: AccountServices,
  caller: Caller,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email' | 'passwordHash' | 'enterpriseMode'>,
  isKnownDevice = false,
): Promise<Admission> {
  if (!(await hasSecondFactor(tx, user.id)))
    return { session: await letIn(services, caller, tx, user, { isKnownDevice }) };
  const step = await awaitSecondFactor(services.vault, tx, user);
  await recordAction(tx, caller, {
    action: 'MFA_REQUIRED',
    resourceType: 'USER',
    resourceId: user.id,
    actorId: user.id,
    wholeAddress: true,
  });
  return { step };
}
