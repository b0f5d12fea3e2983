import type { Tx } from '../../platform/database.ts';

/** What the sentences of a payment need beside its news. */
export interface PaymentDetails {
  /** Of the person who is told. */
  language: string;
  timeZone: string;
  /** Language to name of the package; null where none is known. */
  names: Record<string, string> | null;
  /** Of the invoice, as are the next two. */
  number: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
}

/**
 * Reads what the sentences of a payment need. An invoice that comes before its subscription is for what was chosen last. Null
 * where the person is not there.
 */
export async function findPaymentDetails(
  tx: Tx,
  userId: string,
  about: { packageCode?: string; subscriptionId?: string; invoiceId?: string },
): Promise<PaymentDetails | null> {
  const { packageCode = null, subscriptionId = null, invoiceId = null } = about;
  const rows = await tx.$queryRaw<PaymentDetails[]>`
    SELECT person.language, person.time_zone AS "timeZone", coalesce(named.names, sold.names, chosen.names) AS names,
           invoice.number, invoice.period_start AS "periodStart", invoice.period_end AS "periodEnd"
    FROM users AS person
    LEFT JOIN payment_invoices AS invoice ON invoice.id = ${invoiceId}::text AND invoice.user_id = person.id
    LEFT JOIN subscriptions AS held
      ON held.id = coalesce(${subscriptionId}::text, invoice.subscription_id) AND held.user_id = person.id
    LEFT JOIN subscription_package_versions AS sold
      ON sold.package_id = held.package_id AND sold.version = held.package_version
    LEFT JOIN subscription_packages AS named ON named.code = ${packageCode}::text
    LEFT JOIN LATERAL (
      SELECT version.names FROM checkout_sessions AS page
      JOIN subscription_package_versions AS version
        ON version.package_id = page.package_id AND version.version = page.package_version
      WHERE page.user_id = person.id AND page.state <> 'EXPIRED' ORDER BY page.id DESC LIMIT 1
    ) AS chosen ON invoice.subscription_id IS NULL AND invoice.provider_subscription_id IS NOT NULL
    WHERE person.id = ${userId}`;
  return rows[0] ?? null;
}
