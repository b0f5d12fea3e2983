import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Tx } from '../../platform/database.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { isSamePassword } from './access-epoch.rules.ts';
import type { AccountServices } from './account-services.ts';
import { deviceTokenFor, sessionKeys } from './device-token.ts';
import { holdAccount } from './hold-account.ts';
import { clearLoginDelay, reserveLogin } from './login-delay.repository.ts';
import { passwordProblems } from './password.rules.ts';
import { revokeAccess } from './revoke-access.ts';
import { findUser, setPassword } from './user.repository.ts';

/**
 * Changes a person's password by the current one, and ends every other session. Answers a token for this device, whose
 * former one ends with them. Throws VALIDATION_FAILED, CREDENTIALS_INVALID, also where the password was replaced
 * meanwhile, UNAUTHENTICATED where the session was ended meanwhile, RATE_LIMITED and BUSY.
 */
export async function changePassword(
  services: AccountServices,
  caller: Caller,
  user: CurrentUser,
  given: { currentPassword: string; newPassword: string },
): Promise<string> {
  const { database, passwords, postOffice, vault } = services;
  const { id, email, sessionId } = user;
  const wrong = await passwordProblems(given.newPassword, email);
  if (wrong.length > 0)
    throw invalidFields(...wrong.map((problem) => ({ ...problem, field: 'newPassword' })));
  const keys = sessionKeys(vault, user);
  const { compared, newHash } = await passwords.inTurn(async (turn) => {
    await reserveLogin(database.client, keys);
    const compared = await findUser(database.client, id);
    const right = await turn.verify(given.currentPassword, compared?.passwordHash ?? null);
    return { compared, newHash: right ? await turn.hash(given.newPassword) : null };
  });
  const deviceToken = await database.transaction(async (tx) => {
    const person = await holdAccount(tx, user);
    if (!compared || !newHash || !isSamePassword(compared, person)) return reject(tx, caller, id);
    await setPassword(tx, id, newHash);
    await clearLoginDelay(tx, keys);
    const accessEpoch = await revokeAccess(tx, id, 'PASSWORD_CHANGED', sessionId);
    await services.notifyPassword(tx, id);
    await postOffice.post(tx, { template: 'PASSWORD_CHANGED', to: email, values: {} });
    await recordAction(tx, caller, { resourceId: id, changes: ['password'] });
    return deviceTokenFor(vault, { id, accessEpoch });
  });
  if (!deviceToken)
    throw new ServiceError('CREDENTIALS_INVALID', { detail: 'The current password is wrong.' });
  postOffice.wake();
  return deviceToken;
}

async function reject(tx: Tx, caller: Caller, resourceId: string): Promise<null> {
  await recordAction(tx, caller, { action: 'PASSWORD_CHANGE_REJECTED', outcome: 'DENIED', resourceId });
  return null;
}
