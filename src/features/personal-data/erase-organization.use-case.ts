import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import {
  anonymizeOrganization,
  type DueOrganization,
  listDueOrganizations,
  lockDueOrganization,
} from '../identity/index.ts';
import { ERASURE_BATCH_ROWS, eraseAccountBatch } from './erase-batch.ts';
import { startErasure } from './erasure.repository.ts';
import { ERASURE_QUEUE } from './finish-erasure.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

type Services = Pick<PersonalDataServices, 'database' | 'jobs'>;

const DUE_BATCH_SIZE = 100;

/**
 * Erase the organizations that were deleted and can no longer be restored. One that fails does not stop the others.
 * @throws the last error, once all were tried
 */
export async function eraseDueOrganizations(services: Services): Promise<void> {
  const { database, jobs } = services;
  const now = new Date();
  const errors: unknown[] = [];
  let after: DueOrganization | null = null;
  for (;;) {
    const due: DueOrganization[] = await listDueOrganizations(database.client, now, after, DUE_BATCH_SIZE);
    for (const { id } of due)
      try {
        await eraseDueOrganization(services, id, now);
      } catch (error) {
        errors.push(error);
      }
    jobs.wake(ERASURE_QUEUE);
    after = due.at(-1) ?? null;
    if (due.length < DUE_BATCH_SIZE) break;
  }
  if (errors.length > 0) throw errors.at(-1);
}

async function eraseDueOrganization(services: Services, id: string, now: Date): Promise<void> {
  await services.database.transaction(async (tx) => {
    if (!(await lockDueOrganization(tx, id, now))) return;
    const entry = { action: 'ORGANIZATION_ERASED', outcome: 'SUCCESS', resourceId: id } as const;
    await insertAuditEntry(tx, { ...entry, operation: ERASURE_QUEUE.name, requestId: 'job' });
    await startOrganizationErasure(services, tx, id, ERASURE_BATCH_ROWS);
  });
}

/** Erase an organization, up to `limit` rows of each table, with the account of its only member; it is locked. */
export async function eraseLockedOrganization(
  services: Services,
  tx: Tx,
  context: RequestContext,
  id: string,
  limit: number,
): Promise<void> {
  await recordAuditEntry(tx, context, { action: 'ORGANIZATION_ERASED', resourceId: id });
  await startOrganizationErasure(services, tx, id, limit);
}

/** As of an account of a user: at once nobody can access it, a job erases what is more than a batch. */
async function startOrganizationErasure(
  { jobs }: Services,
  tx: Tx,
  id: string,
  limit: number,
): Promise<void> {
  const erasure = await startErasure(tx, id);
  await anonymizeOrganization(tx, id);
  await eraseAccountBatch(tx, erasure, { limit, skipLocked: true });
  await jobs.enqueue(tx, ERASURE_QUEUE, { erasureId: erasure.id });
}
