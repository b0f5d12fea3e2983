import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { AccountServices } from './account-services.ts';
import { type OpenedSession, openSession } from './open-session.ts';

/** Lets a person in who has shown who they are: opens a session, tells them of it, and records it as the route's action. */
export async function admit(
  services: AccountServices,
  caller: Caller,
  tx: Tx,
  user: { id: string },
): Promise<OpenedSession> {
  const session = await openSession(services, caller, tx, user);
  await services.notifyLogin(tx, user.id);
  await recordAction(tx, caller, { resourceId: session.sessionId, actorId: user.id, wholeAddress: true });
  return session;
}
