import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { lockUserAndSession } from '../accounts/lock-user-and-session.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import { revokeUserAccess } from '../accounts/revoke-access.ts';
import { deleteIdentity, findOwnIdentity, hasOtherSignInMethod } from './identity.repository.ts';
import type { IdentityServices } from './identity-services.ts';
import { formatIdentityProviderName } from './link.rules.ts';

/** Unlink an identity and end all other sessions. @throws NOT_FOUND, REAUTHENTICATION_REQUIRED, LAST_SIGN_IN_METHOD */
export async function unlinkIdentity(
  { database, identityProvider, mailOutbox }: IdentityServices,
  context: RequestContext,
  user: CurrentUser,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockUserAndSession(tx, user);
    const identity = await findOwnIdentity(tx, user.id, id);
    if (!identity) throw new ServiceError('NOT_FOUND');
    await requireRecentLogin(tx, user);
    if (!(await hasOtherSignInMethod(tx, identity, identityProvider?.issuer ?? null)))
      throw new ServiceError('LAST_SIGN_IN_METHOD');
    await deleteIdentity(tx, identity);
    await revokeUserAccess(tx, user.id, 'REVOKED', user.sessionId);
    const values = { provider: formatIdentityProviderName(identity.issuer) };
    await mailOutbox.enqueue(tx, { template: 'IDENTITY_UNLINKED', to: user.email, values });
    await recordAuditEntry(tx, context, { resourceId: user.id, changes: ['identities'] });
  });
  mailOutbox.wake();
}
