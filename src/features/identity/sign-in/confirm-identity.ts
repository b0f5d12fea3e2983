import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { MailOutbox } from '../../mail/index.ts';
import { confirmIdentity } from './identity.repository.ts';
import { formatIdentityProviderName } from './link.rules.ts';

/** Call when the login is complete, second factor included; mails the user if the identity is new. */
export async function confirmLinkedIdentity(
  { mailOutbox }: { mailOutbox: MailOutbox },
  context: RequestContext,
  tx: Tx,
  identityId: string,
  userId: string,
): Promise<void> {
  const identity = await confirmIdentity(tx, identityId, userId);
  if (!identity) return;
  const values = { provider: formatIdentityProviderName(identity.issuer) };
  await mailOutbox.enqueue(tx, { template: 'IDENTITY_LINKED', to: identity.email, values });
  await recordAuditEntry(tx, context, {
    action: 'IDENTITY_LINKED',
    resourceType: 'USER',
    resourceId: userId,
    actorId: userId,
  });
}
