import { recordAuditEntries } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import {
  createPreparedReader,
  createPrismaReader,
  createUnpreparedReader,
} from '../../platform/sql-readers.ts';
import { listQrCodes, type QrCodeListFilter } from './qrcode-list.repository.ts';

/**
 * A page of a person's codes, and how many there are. In enterprise mode every medical code on it is an entry of the
 * audit trail of its own, in the same transaction.
 */
export async function listOwnQrCodes(
  database: Database,
  context: RequestContext,
  user: CurrentUser,
  filter: QrCodeListFilter,
): ReturnType<typeof listQrCodes> {
  if (!user.isEnterprise) {
    // What is searched for decides how.
    const read = filter.search ? createUnpreparedReader(database) : createPreparedReader(database);
    return listQrCodes(read, user.id, filter);
  }
  return database.transaction(async (tx) => {
    const page = await listQrCodes(createPrismaReader(tx), user.id, filter);
    const medical = page.rows.filter(({ kind }) => kind === 'MEDICAL').map(({ id }) => id);
    await recordAuditEntries(tx, context, medical, { action: 'MEDICAL_DATA_LISTED' });
    return page;
  });
}
