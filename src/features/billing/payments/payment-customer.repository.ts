import type { Db, Tx } from '../../../platform/database.ts';

/**
 * Who a customer of a provider is; null for one that is not known, or whose account was erased. Until the transaction
 * ends they cannot be erased, and nobody else writes of what they pay for.
 */
export async function lockCustomerUser(tx: Tx, provider: string, customerId: string): Promise<string | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || ${customerId}, 0))`;
  const [row] = await tx.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM payment_customers
    WHERE provider = ${provider} AND customer_id = ${customerId} AND NOT is_erased(user_id)`;
  return row?.userId ?? null;
}

/** Which customers of a provider are known, by the provider's ids: who they are. */
export async function findUserIdsByCustomer(
  db: Db,
  provider: string,
  customerIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.paymentCustomer.findMany({
    where: { provider, customerId: { in: [...customerIds] }, user: { status: { not: 'DELETED' } } },
    select: { customerId: true, userId: true },
  });
  return new Map(rows.map(({ customerId, userId }) => [customerId, userId]));
}
