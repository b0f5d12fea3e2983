import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Database } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { requireRecentLogin } from './require-recent-login.ts';
import { endSession } from './session.repository.ts';

/** End the session of a credential. A repeat changes nothing. */
export function logOut(
  database: Database,
  context: RequestContext,
  userId: string,
  sessionId: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (await endSession(tx, userId, sessionId, 'LOGOUT'))
      await recordAuditEntry(tx, context, { resourceId: sessionId });
  });
}

/** Revoke a session of the user; another one than theirs after a recent login. @throws NOT_FOUND, REAUTHENTICATION_REQUIRED */
export function revokeSession(
  database: Database,
  context: RequestContext,
  user: CurrentUser,
  sessionId: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await endSession(tx, user.id, sessionId, 'REVOKED'))) throw new ServiceError('NOT_FOUND');
    if (sessionId !== user.sessionId) await requireRecentLogin(tx, user);
    await recordAuditEntry(tx, context, { resourceId: sessionId });
  });
}
