import { getActingAccount } from '../../platform/acting-account.ts';
import { recordAuditEntries } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database } from '../../platform/database.ts';
import { canReadHealthData } from '../../platform/health-data.ts';
import type { SqlListSort } from '../../platform/list-order.repository.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import { type Included, type IncludedContent, loadIncludedContent } from './included-content.ts';
import type { QrCodeViewContext } from './qrcode.view.ts';
import { listQrCodesByOwner, type QrCodeListFilter, type QrCodeListRow } from './qrcode-list.repository.ts';

interface QrCodeListInput {
  filter: QrCodeListFilter;
  sort: SqlListSort<QrCodeListRow>;
  range: ListRange;
  /** Content of the listed codes. */
  included: Included | undefined;
}

interface QrCodeListResult {
  rows: QrCodeListRow[];
  total: number;
  contents: ReadonlyMap<string, IncludedContent>;
}

/** Audit each medical code whose content is included, and in enterprise mode each other that is listed, in the same transaction. */
export async function listOwnQrCodes(
  services: QrCodeViewContext & { database: Database },
  context: RequestContext,
  user: CurrentUser,
  { filter, sort, range, included }: QrCodeListInput,
): Promise<QrCodeListResult> {
  const { database } = services;
  const { id: accountId, folderIds: limitedTo } = getActingAccount(user);
  const limitedFilter = { ...filter, limitedTo };
  if (!user.isEnterprise && !included) {
    const page = await database.read(({ pool }) =>
      listQrCodesByOwner(pool, accountId, limitedFilter, sort, range),
    );
    return { ...page, contents: new Map() };
  }
  return database.transaction(async (tx) => {
    const page = await listQrCodesByOwner(tx, accountId, limitedFilter, sort, range);
    const listed = page.rows.slice(0, range.take - 1);
    const readable = canReadHealthData(context) ? listed : listed.filter(({ kind }) => kind !== 'MEDICAL');
    const contents: ReadonlyMap<string, IncludedContent> = included
      ? await loadIncludedContent(tx, accountId, services, readable, included)
      : new Map();
    const medical = listed.filter(({ kind }) => kind === 'MEDICAL').map(({ id }) => id);
    const read = medical.filter((id) => contents.has(id));
    const onlyListed = user.isEnterprise ? medical.filter((id) => !contents.has(id)) : [];
    await recordAuditEntries(tx, context, read, { action: 'MEDICAL_DATA_READ' });
    await recordAuditEntries(tx, context, onlyListed, { action: 'MEDICAL_DATA_LISTED' });
    return { ...page, contents };
  });
}
