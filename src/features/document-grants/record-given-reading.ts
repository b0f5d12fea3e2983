import { withinBudget } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { ServiceError } from '../../shared/errors.ts';
import { describeAgent } from '../scans/agent.ts';
import { type GivenRow, noteGivenReading } from './grant.repository.ts';
import type { GrantServices } from './grant-services.ts';

const DAY = 24 * 3_600;

/**
 * Notes that somebody reads what was given to them, for its owner to see, who is told once a day. Throws NOT_FOUND where it was
 * taken back.
 */
export async function recordGivenReading(
  services: GrantServices,
  caller: Caller,
  given: GivenRow,
  readerId: string,
): Promise<void> {
  const { id, documentId, ownerId, title, version } = given;
  const reading = { readerId, versionNumber: version, agent: describeAgent(caller.userAgent) };
  await services.database.transaction(async (tx) => {
    if (!(await noteGivenReading(tx, id, reading))) throw new ServiceError('NOT_FOUND');
    await recordAction(tx, caller, { resourceId: documentId });
    const daily = { key: `document-given-read:${id}`, allowed: 1, windowSeconds: DAY };
    if (await withinBudget(tx, daily))
      await services.notifyDocumentOpened(tx, { ownerId, documentId, title });
  });
}
