import type { Tx } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';

export interface PaymentNotificationDetails {
  language: string;
  timeZone: string;
  names: Record<string, string> | null;
  number: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
}

/** Find the details for the text of a payment notification. An invoice without a subscription yet belongs to the last checkout. */
export async function findPaymentNotificationDetails(
  tx: Tx,
  accountId: string,
  about: { packageCode?: string; subscriptionId?: string; invoiceId?: string },
): Promise<PaymentNotificationDetails | null> {
  const { packageCode = null, subscriptionId = null, invoiceId = null } = about;
  const rows = await querySql<PaymentNotificationDetails>(tx)`
    SELECT owner.language, owner.time_zone AS "timeZone", coalesce(named.names, sold.names, chosen.names) AS names,
           invoice.number, invoice.period_start AS "periodStart", invoice.period_end AS "periodEnd"
    FROM accounts AS owner
    LEFT JOIN payment_invoices AS invoice ON invoice.id = ${invoiceId}::text AND invoice.account_id = owner.id
    LEFT JOIN subscriptions AS subscription
      ON subscription.id = coalesce(${subscriptionId}::text, invoice.subscription_id) AND subscription.account_id = owner.id
    LEFT JOIN subscription_package_versions AS sold
      ON sold.package_id = subscription.package_id AND sold.version = subscription.package_version
    LEFT JOIN subscription_packages AS named ON named.code = ${packageCode}::text
    LEFT JOIN LATERAL (
      SELECT version.names FROM checkout_sessions AS page
      JOIN subscription_package_versions AS version
        ON version.package_id = page.package_id AND version.version = page.package_version
      WHERE page.account_id = owner.id AND page.state <> 'EXPIRED' ORDER BY page.id DESC LIMIT 1
    ) AS chosen ON invoice.subscription_id IS NULL AND invoice.provider_subscription_id IS NOT NULL
    WHERE owner.id = ${accountId}`;
  return rows[0] ?? null;
}
