import { recordAuditEntries } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import {
  createPreparedSqlReader,
  createPrismaSqlReader,
  createUnpreparedSqlReader,
} from '../../platform/sql-readers.ts';
import { listQrCodesByOwner, type QrCodeListFilter } from './qrcode-list.repository.ts';

/** In enterprise mode each medical code listed is audited in the same transaction. */
export async function listOwnQrCodes(
  database: Database,
  context: RequestContext,
  user: CurrentUser,
  filter: QrCodeListFilter,
): ReturnType<typeof listQrCodesByOwner> {
  if (!user.isEnterprise) {
    // The best plan depends on the search text, so it is not prepared.
    const createReader = filter.search ? createUnpreparedSqlReader : createPreparedSqlReader;
    return database.read((db) => listQrCodesByOwner(createReader(db), user.id, filter));
  }
  return database.transaction(async (tx) => {
    const page = await listQrCodesByOwner(createPrismaSqlReader(tx), user.id, filter);
    const medical = page.rows.filter(({ kind }) => kind === 'MEDICAL').map(({ id }) => id);
    await recordAuditEntries(tx, context, medical, { action: 'MEDICAL_DATA_LISTED' });
    return page;
  });
}
