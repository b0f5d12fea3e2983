import { findApiKeyReader } from '../../platform/api-key.repository.ts';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import type { EventObjectReaders } from '../../platform/event-objects.ts';
import { toServiceError } from '../../platform/http/problem-details.ts';
import { toIntegrityFailureAuditEntry } from '../../platform/integrity-failure.ts';
import { getEventGroup } from '../../shared/event-types.ts';
import type { EventRow } from './event.repository.ts';
import type { OBJECT_OMISSIONS } from './webhooks.schemas.ts';

/** Of the JSON of an object; a code with the largest logo has about half of it. */
export const MAX_OBJECT_BYTES = 131_072;

/** What a delivery says about the object of its event. */
export type SentObject =
  | { object: object }
  | { object: null; objectOmitted: (typeof OBJECT_OMISSIONS)[number] };

export interface EventObjectServices {
  database: Database;
  eventObjects: EventObjectReaders;
  isEnterpriseEnforced: boolean;
  config: { production: boolean };
  log: { error(details: object, message: string): void };
}

/** Read the object of an event as an API key of the account could read it now, or say why it is left out. */
export async function readEventObject(
  { database: { client }, eventObjects, isEnterpriseEnforced, config, log }: EventObjectServices,
  accountId: string,
  { type, data }: EventRow,
): Promise<SentObject> {
  const owner = await findApiKeyReader(client, accountId, isEnterpriseEnforced, config.production);
  if (!owner) return { object: null, objectOmitted: 'NOT_ALLOWED' };
  try {
    const object = await eventObjects.read(getEventGroup(type), owner, data);
    if (object === 'MEDICAL') return { object: null, objectOmitted: 'MEDICAL' };
    const isTooLarge = Buffer.byteLength(JSON.stringify(object)) > MAX_OBJECT_BYTES;
    return isTooLarge ? { object: null, objectOmitted: 'TOO_LARGE' } : { object };
  } catch (error) {
    const { code, integrityFailure } = toServiceError(error);
    if (code === 'NOT_FOUND') return { object: null, objectOmitted: 'NOT_FOUND' };
    // The claim of the delivery ends by itself; anything else would fail each time, and hold up the others.
    if (code === 'DATABASE_UNAVAILABLE') throw error;
    if (integrityFailure) {
      const entry = toIntegrityFailureAuditEntry(integrityFailure);
      await insertAuditEntry(client, { ...entry, operation: 'webhooks.dispatch', requestId: 'job' });
    } else log.error({ err: error }, `webhooks: an object cannot be read (${getErrorCodeOrName(error)})`);
    return { object: null, objectOmitted: 'UNREADABLE' };
  }
}
