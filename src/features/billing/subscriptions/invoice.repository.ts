import type { Db } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import { createTimeSort, type ListRange } from '../../../shared/list-cursor.ts';

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof findInvoice>>>;

/** The order of invoices. */
export const LAST_ISSUED_FIRST = createTimeSort('-issuedAt', ({ issuedAt }: InvoiceRow) => issuedAt);

/** Drafts may still change. */
const whereIssuedTo = (accountId: string) => ({ accountId, state: { not: 'DRAFT' } });

const NEWEST_FIRST = [{ issuedAt: 'desc' as const }, { id: 'desc' as const }];

export async function listUserInvoices(
  db: Db,
  accountId: string,
  { skip, take, after }: ListRange,
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const where = whereIssuedTo(accountId);
  const [rows, total] = await Promise.all([
    db.paymentInvoice.findMany({
      where: { ...where, ...createAfterFilter('issuedAt', after) },
      orderBy: NEWEST_FIRST,
      skip,
      take,
    }),
    db.paymentInvoice.count({ where }),
  ]);
  return { rows, total };
}

/** Null when absent or of another user. */
export function findInvoice(db: Db, accountId: string, id: string) {
  return db.paymentInvoice.findFirst({ where: { id, ...whereIssuedTo(accountId) } });
}
