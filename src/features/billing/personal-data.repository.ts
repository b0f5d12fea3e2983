import type { Db } from '../../platform/database.ts';

export async function findInvoicesByIds(db: Db, ids: string[]) {
  return db.paymentInvoice.findMany({
    where: { id: { in: ids } },
    orderBy: [{ issuedAt: 'desc' }, { id: 'desc' }],
  });
}
