import { recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/authentication.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  hasOtherAdministrator,
  listOrganizationsOfOnlyOwner,
  lockAdministrators,
  lockOrganizationsOfOnlyOwner,
  lockSecondFactor,
} from '../identity/index.ts';
import { lockExistingUser } from './account.repository.ts';
import { ERASURE_BATCH_ROWS, eraseAccountBatch } from './erase-batch.ts';
import { eraseLockedOrganization } from './erase-organization.use-case.ts';
import { insertErasedFileRow, startErasure } from './erasure.repository.ts';
import { ERASURE_QUEUE } from './finish-erasure.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { PERSONAL_TABLES, TABLES_ERASED_WITH_ACCOUNT } from './registry.ts';

/**
 * Erase an account in one transaction. After its commit nobody can log in, no code shows content, the address is free,
 * and the reference in the audit trail cannot be resolved. A job, enqueued in the same transaction, removes the files
 * and the rows beyond the first batch. Organizations without another member are erased with it.
 * @param provenHash password hash that the user's password matched; null for an account without a password
 * @throws LAST_ADMINISTRATOR, LAST_OWNER, UNAUTHENTICATED if the account is already erased, CONFLICT if the password, the role
 * or the organizations changed in the meantime
 */
export async function eraseAccount(
  services: PersonalDataServices,
  context: RequestContext,
  user: CurrentUser,
  provenHash: string | null,
): Promise<void> {
  const { database, fieldCipher, mailOutbox, jobs } = services;
  const isAdministrator = user.role === 'ADMIN';
  await database.forEveryAccount('RUN_TIME').transaction(async (tx) => {
    if (isAdministrator) await lockAdministrators(tx);
    // Before the user, as the first message of a finder locks an account and then its members.
    const organizations = await lockOrganizationsOfOnlyOwner(tx, user.id);
    // Locked before the user, in the same order as a login, to prevent deadlocks.
    await lockSecondFactor(tx, user.id);
    const account = await lockExistingUser(tx, user.id);
    if (!account) throw new ServiceError('UNAUTHENTICATED');
    if (account.passwordHash !== provenHash || (account.role === 'ADMIN') !== isAdministrator)
      throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
    if (isAdministrator && !(await hasOtherAdministrator(tx, user.id)))
      throw new ServiceError('LAST_ADMINISTRATOR');
    const locked = new Set(organizations.map(({ id }) => id));
    const current = await listOrganizationsOfOnlyOwner(tx, user.id);
    if (current.some(({ id }) => !locked.has(id)))
      throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
    if (organizations.some(({ members }) => members > 1)) throw new ServiceError('LAST_OWNER');
    const limit = Math.ceil(ERASURE_BATCH_ROWS / (organizations.length + 1));
    for (const { id } of organizations) await eraseLockedOrganization(services, tx, context, id, limit);

    // Before `startErasure` deletes the user's reference in the audit trail.
    await recordAuditEntry(tx, context, { resourceId: user.id });
    const erasure = await startErasure(tx, user.id);
    if (account.profilePicture)
      await insertErasedFileRow(tx, erasure.id, { folder: 'profile-pictures', name: account.profilePicture });
    for (const table of TABLES_ERASED_WITH_ACCOUNT)
      await PERSONAL_TABLES[table].eraseWithAccount?.(tx, {
        userId: user.id,
        email: account.email,
        fieldCipher,
      });
    await eraseAccountBatch(tx, erasure, { limit, skipLocked: true });
    await jobs.enqueue(tx, ERASURE_QUEUE, { erasureId: erasure.id });
    await mailOutbox.enqueue(tx, {
      template: 'ACCOUNT_ERASED',
      to: account.email,
      values: {},
      language: user.language,
    });
  });
  jobs.wake(ERASURE_QUEUE);
  mailOutbox.wake();
}
