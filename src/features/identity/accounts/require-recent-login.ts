import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Db } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isRecentSession } from './session.repository.ts';

/** Require a login within the last ten minutes in this session. @throws REAUTHENTICATION_REQUIRED */
export async function requireRecentLogin(db: Db, user: CurrentUser): Promise<void> {
  if (!(await isRecentSession(db, user.sessionId))) throw new ServiceError('REAUTHENTICATION_REQUIRED');
}
