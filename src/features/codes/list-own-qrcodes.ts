import { recordAuditEntries } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database } from '../../platform/database.ts';
import type { SqlListSort } from '../../platform/list-order.repository.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import { listQrCodesByOwner, type QrCodeListFilter, type QrCodeListRow } from './qrcode-list.repository.ts';

/** In enterprise mode each medical code listed is audited in the same transaction. */
export async function listOwnQrCodes(
  database: Database,
  context: RequestContext,
  user: CurrentUser,
  filter: QrCodeListFilter,
  sort: SqlListSort<QrCodeListRow>,
  range: ListRange,
): ReturnType<typeof listQrCodesByOwner> {
  if (!user.isEnterprise)
    return database.read(({ pool }) => listQrCodesByOwner(pool, user.id, filter, sort, range));
  return database.transaction(async (tx) => {
    const page = await listQrCodesByOwner(tx, user.id, filter, sort, range);
    const listed = page.rows.slice(0, range.take - 1);
    const medical = listed.filter(({ kind }) => kind === 'MEDICAL').map(({ id }) => id);
    await recordAuditEntries(tx, context, medical, { action: 'MEDICAL_DATA_LISTED' });
    return page;
  });
}
