import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { anonymizeOrganization, listDueOrganizationIds, lockDueOrganization } from '../identity/index.ts';
import { ERASURE_BATCH_ROWS, eraseAccountBatch } from './erase-batch.ts';
import { startErasure } from './erasure.repository.ts';
import { ERASURE_QUEUE } from './finish-erasure.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

type Services = Pick<PersonalDataServices, 'database' | 'jobs'>;

const DUE_BATCH_SIZE = 100;

/** Erase the organizations that were deleted and can no longer be restored. */
export async function eraseDueOrganizations(services: Services): Promise<void> {
  const { database, jobs } = services;
  const now = new Date();
  for (;;) {
    const ids = await listDueOrganizationIds(database.client, now, DUE_BATCH_SIZE);
    for (const id of ids)
      await database.transaction(async (tx) => {
        if (!(await lockDueOrganization(tx, id, now))) return;
        const entry = { action: 'ORGANIZATION_ERASED', outcome: 'SUCCESS', resourceId: id } as const;
        await insertAuditEntry(tx, { ...entry, operation: ERASURE_QUEUE.name, requestId: 'job' });
        await startOrganizationErasure(services, tx, id);
      });
    jobs.wake(ERASURE_QUEUE);
    if (ids.length < DUE_BATCH_SIZE) return;
  }
}

/** Erase an organization together with the account of its only member; this transaction has locked it. */
export async function eraseLockedOrganization(
  services: Services,
  tx: Tx,
  context: RequestContext,
  id: string,
): Promise<void> {
  await recordAuditEntry(tx, context, { action: 'ORGANIZATION_ERASED', resourceId: id });
  await startOrganizationErasure(services, tx, id);
}

/** As of an account of a user: at once nobody can access it, a job erases what is more than a batch. */
async function startOrganizationErasure({ jobs }: Services, tx: Tx, id: string): Promise<void> {
  const erasure = await startErasure(tx, id);
  await anonymizeOrganization(tx, id);
  await eraseAccountBatch(tx, erasure, { limit: ERASURE_BATCH_ROWS, skipLocked: true });
  await jobs.enqueue(tx, ERASURE_QUEUE, { erasureId: erasure.id });
}
