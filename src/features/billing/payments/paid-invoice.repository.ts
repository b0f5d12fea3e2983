import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';
import type { InvoiceFields } from './invoice-state.rules.ts';

export interface PaymentInvoiceRow {
  id: string;
  userId: string;
  providerId: string;
  /** Our id of the subscription. */
  subscriptionId: string | null;
  facts: InvoiceFields;
}

export async function findPaidInvoices(
  db: Db,
  provider: string,
  providerIds: readonly string[],
): Promise<Map<string, PaymentInvoiceRow>> {
  const rows = await db.paymentInvoice.findMany({
    where: { provider, providerId: { in: [...providerIds] } },
  });
  return new Map(
    rows.map(({ id, userId, providerId, subscriptionId, provider: _name, ...row }) => {
      const [total, amountPaid, amountRefunded] = [row.total, row.amountPaid, row.amountRefunded].map(Number);
      const facts = {
        ...row,
        total: total ?? 0,
        amountPaid: amountPaid ?? 0,
        amountRefunded: amountRefunded ?? 0,
      };
      return [providerId, { id, userId, providerId, subscriptionId, facts }];
    }),
  );
}

export async function countInvoices(db: Db, provider: string, since: Date): Promise<number> {
  return db.paymentInvoice.count({ where: { provider, issuedAt: { gte: since } } });
}

/** Insert or update an invoice and return the id of its row. */
export async function upsertInvoice(
  tx: Tx,
  row: {
    id: string | null;
    userId: string;
    provider: string;
    providerId: string;
    subscriptionId: string | null;
  },
  facts: InvoiceFields,
): Promise<string> {
  const { userId, provider, providerId, subscriptionId } = row;
  if (row.id !== null) {
    await tx.paymentInvoice.update({ where: { id: row.id }, data: { ...facts, subscriptionId } });
    return row.id;
  }
  const id = generateId();
  await tx.paymentInvoice.create({ data: { id, userId, provider, providerId, subscriptionId, ...facts } });
  return id;
}
