import { findApiKeyScope } from '../../permissions.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Tx } from '../../platform/database.ts';
import { EVENT_OBJECTS } from '../../platform/event-objects.ts';
import { ServiceError } from '../../shared/errors.ts';
import { getEventGroup } from '../../shared/event-types.ts';
import { requireRecentLogin } from '../identity/index.ts';
import { listMatchingEventTypes } from './event.rules.ts';

/**
 * An endpoint that gets objects reads like an API key: it needs a recent login as that does, and a key can give it only
 * what the key itself may read.
 * @throws REAUTHENTICATION_REQUIRED, SCOPE_REQUIRED
 */
export async function authorizeObjects(
  tx: Tx,
  user: CurrentUser,
  eventTypes: readonly string[],
): Promise<void> {
  if (!user.apiKey) return requireRecentLogin(tx, user);
  const groups = new Set(listMatchingEventTypes(eventTypes).map(getEventGroup));
  for (const group of groups) {
    if (group === 'webhook_endpoint') continue;
    const scope = findApiKeyScope(EVENT_OBJECTS[group].permission, 'GET');
    if (!scope || !user.apiKey.scopes.includes(scope))
      throw new ServiceError('SCOPE_REQUIRED', {
        detail: `Objects of ${group} events need the scope ${scope}.`,
      });
  }
}
