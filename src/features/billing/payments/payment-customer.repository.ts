import type { Db, Tx } from '../../../platform/database.ts';

/**
 * Lock the user of a provider's customer; null when unknown or erased. Until the transaction ends the user
 * cannot be erased and their payments have no other writer.
 */
export async function lockCustomerUser(tx: Tx, provider: string, customerId: string): Promise<string | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || ${customerId}, 0))`;
  const [row] = await tx.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM payment_customers
    WHERE provider = ${provider} AND customer_id = ${customerId} AND NOT is_erased(user_id)`;
  return row?.userId ?? null;
}

/** Find the user ids of a provider's customers, by the provider's ids. */
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
