import type { AuditAction } from '../../../audit-actions.ts';
import { tryConsumeAttempt } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import type { AccountServices } from './account-services.ts';
import { type CreatedSession, createSession } from './create-session.ts';
import { findSessionNetworkMatch } from './session.repository.ts';
import { formatUserAgentFamily } from './user-agent-family.rules.ts';

interface LoginDetails {
  isKnownDevice: boolean;
  action?: AuditAction;
}

/** Use `completeFirstFactor` before the second factor. Mails the user if device and network are new. */
export async function completeLogin(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  user: { id: string; email: string; enterpriseMode: boolean },
  details: LoginDetails,
): Promise<CreatedSession> {
  const { isKnownDevice, action } = details;
  const networks = await findSessionNetworkMatch(tx, user.id, context.address);
  const session = await createSession(services, context, tx, user);
  await services.events.publish(tx, 'login.created', { userId: user.id });
  if (!isKnownDevice && networks.any && !networks.same) await mailNewDeviceLogin(services, context, tx, user);
  await recordAuditEntry(tx, context, {
    ...(action ? { action } : {}),
    resourceId: session.sessionId,
    actorId: user.id,
    storeFullAddress: true,
  });
  return session;
}

/** At most one mail per user and hour: an attacker who has the password must not bury it under others. */
async function mailNewDeviceLogin(
  { fieldCipher, mailOutbox }: AccountServices,
  context: RequestContext,
  tx: Tx,
  user: { id: string; email: string },
): Promise<void> {
  const key = `new-device:${fieldCipher.hash('new-device-mail', user.id).toString('hex')}`;
  if (!(await tryConsumeAttempt(tx, { key, allowed: 1, windowSeconds: 3600 }))) return;
  const values = {
    agent: formatUserAgentFamily(context.userAgent),
    network: truncateIpAddress(context.address),
    at: new Date(),
  };
  await mailOutbox.enqueue(tx, { template: 'NEW_DEVICE_LOGIN', to: user.email, values });
}
