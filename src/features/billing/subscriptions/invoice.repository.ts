import type { Db } from '../../../platform/database.ts';
import type { TimeCursor } from '../../../shared/time-cursor.ts';

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof findInvoice>>>;

/** Drafts may still change. */
const whereIssuedTo = (userId: string) => ({ userId, state: { not: 'DRAFT' } });

const NEWEST_FIRST = [{ issuedAt: 'desc' as const }, { id: 'desc' as const }];

export async function listUserInvoices(
  db: Db,
  userId: string,
  page: { skip: number; take: number },
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const where = whereIssuedTo(userId);
  const [rows, total] = await Promise.all([
    db.paymentInvoice.findMany({ where, orderBy: NEWEST_FIRST, ...page }),
    db.paymentInvoice.count({ where }),
  ]);
  return { rows, total };
}

export function listUserInvoicesAfterCursor(
  db: Db,
  userId: string,
  after: TimeCursor | null,
  take: number,
): Promise<InvoiceRow[]> {
  const where = {
    ...whereIssuedTo(userId),
    ...(after && {
      issuedAt: { lte: after.at },
      OR: [{ issuedAt: { lt: after.at } }, { id: { lt: after.id } }],
    }),
  };
  return db.paymentInvoice.findMany({ where, orderBy: NEWEST_FIRST, take });
}

/** Null when absent or of another user. */
export function findInvoice(db: Db, userId: string, id: string) {
  return db.paymentInvoice.findFirst({ where: { id, ...whereIssuedTo(userId) } });
}
