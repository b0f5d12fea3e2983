import type { Static } from 'typebox';
import { getActingAccount } from '../../../platform/acting-account.ts';
import type { CurrentUser } from '../../../platform/authentication.ts';
import { parseQrCodeListFilter, type QrCodeListFilters } from '../list-filters.ts';
import { listQrCodeIds, QR_CODE_LIST_SORTS } from '../qrcode-list.repository.ts';
import type { QrCodeServices } from '../qrcode-services.ts';

export const MAX_MATCHING_CODES = 5_000;

/** List the codes of a user that match, oldest first; null for more than can be changed at once. */
export async function listMatchingQrCodeIds(
  { database }: Pick<QrCodeServices, 'database'>,
  user: CurrentUser,
  filters: Static<typeof QrCodeListFilters>,
): Promise<string[] | null> {
  const account = getActingAccount(user);
  const filter = { ...parseQrCodeListFilter(filters, user.timeZone), limitedTo: account.folderIds };
  const ids = await listQrCodeIds(
    database.pool,
    account.id,
    filter,
    QR_CODE_LIST_SORTS.createdAt,
    MAX_MATCHING_CODES + 1,
  );
  return ids.length > MAX_MATCHING_CODES ? null : ids;
}
