import type { FastifyRequest } from 'fastify';
import type { Database } from '../../../../platform/database.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { isId } from '../../../../shared/ids.ts';
import { isSessionTooOld } from './policy.repository.ts';

/**
 * Require that a session is as young as the organization wants it whose management a request names.
 * @throws REAUTHENTICATION_REQUIRED
 */
export async function requireOrganizationSession(
  { client }: Pick<Database, 'client'>,
  { user }: Pick<FastifyRequest, 'user'>,
  accountId: unknown,
): Promise<void> {
  if (!user || !isId(accountId)) return;
  if (await isSessionTooOld(client, { sessionId: user.sessionId, accountId }))
    throw new ServiceError('REAUTHENTICATION_REQUIRED');
}
