import type { Db } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';

export async function findInvoicesByIds(db: Db, accountId: string, ids: string[]) {
  return db.paymentInvoice.findMany({
    where: { accountId, id: { in: ids } },
    orderBy: [{ issuedAt: 'desc' }, { id: 'desc' }],
  });
}

export interface EarlierSubscription {
  subscriptionId: string;
  /** Code of the package. */
  package: string;
  interval: string;
  currency: string;
  until: Date;
}

/** List what the subscriptions of a user were before they changed, newest first. */
export function listEarlierSubscriptions(db: Db, accountId: string): Promise<EarlierSubscription[]> {
  return querySql<EarlierSubscription>(db)`
    SELECT change.subscription_id AS "subscriptionId", package.code AS package, change."interval", change.currency,
           change.changed_at AS until
    FROM subscription_changes AS change
    JOIN subscriptions AS changed ON changed.id = change.subscription_id
    JOIN subscription_packages AS package ON package.id = change.package_id
    WHERE changed.account_id = ${accountId} ORDER BY change.changed_at DESC`;
}
