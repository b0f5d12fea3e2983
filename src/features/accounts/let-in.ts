import { withinBudget } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { AuditAction } from '../../shared/audit-actions.ts';
import { truncateAddress } from '../../shared/client-address.ts';
import type { AccountServices } from './account-services.ts';
import { agentFamily } from './agent-family.rules.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { knownNetwork } from './session.repository.ts';

interface Circumstances {
  /** Whether a device token of an earlier log-in was given. */
  isKnownDevice: boolean;
  /** What the trail calls it; the route's action without it. */
  action?: AuditAction;
}

/**
 * Opens a session for a person who has shown all that there is to show, tells them of it, by mail where device
 * and network are new, and records it. Who has not shown a second factor yet goes through `admit`.
 */
export async function letIn(
  services: AccountServices,
  caller: Caller,
  tx: Tx,
  user: { id: string; email: string; enterpriseMode: boolean },
  circumstances: Circumstances,
): Promise<OpenedSession> {
  const { isKnownDevice, action } = circumstances;
  const before = await knownNetwork(tx, user.id, truncateAddress(caller.address));
  const session = await openSession(services, caller, tx, user);
  await services.notifyLogin(tx, user.id);
  if (!isKnownDevice && before.any && !before.same) await mailNewDevice(services, caller, tx, user);
  await recordAction(tx, caller, {
    ...(action ? { action } : {}),
    resourceId: session.sessionId,
    actorId: user.id,
    wholeAddress: true,
  });
  return session;
}

/** At most one mail an hour for a person: an attacker with the password must not bury it under others. */
async function mailNewDevice(
  { vault, postOffice }: AccountServices,
  caller: Caller,
  tx: Tx,
  user: { id: string; email: string },
): Promise<void> {
  const key = `new-device:${vault.hash('new-device-mail', user.id).toString('hex')}`;
  if (!(await withinBudget(tx, { key, allowed: 1, windowSeconds: 3600 }))) return;
  const values = {
    agent: agentFamily(caller.userAgent),
    network: truncateAddress(caller.address),
    at: new Date(),
  };
  await postOffice.post(tx, { template: 'NEW_DEVICE_LOGIN', to: user.email, values });
}
