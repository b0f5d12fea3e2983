import type { CurrentUser } from '../../../platform/authentication.ts';
import type { PackageOffer, ProviderCheckout } from '../../../providers/payments/payments.port.ts';
import { toLocale } from '../../../shared/i18n/choose-locale.ts';
import type { CheckoutRow } from './checkout.repository.ts';
import { withCustomerId, withPriceId } from './provider-ids.ts';
import type { EnabledPurchaseServices } from './purchase-services.ts';

/** Create a checkout session at the provider, once for its row. @throws PaymentError */
export function createProviderCheckout(
  services: EnabledPurchaseServices,
  user: CurrentUser,
  row: CheckoutRow,
  offer: PackageOffer,
): Promise<ProviderCheckout> {
  const { payments, paymentReturnUrl } = services;
  return withCustomerId(services, user, (customerId) =>
    withPriceId(services, offer, (priceId) => {
      const order = {
        customerId,
        priceId,
        userId: user.id,
        expiresAt: row.expiresAt,
        successUrl: `${paymentReturnUrl}/checkout/done`,
        cancelUrl: `${paymentReturnUrl}/checkout/back`,
        language: toLocale(user.language).tag,
      };
      return payments.openCheckout(order, `checkout:${row.id}`);
    }),
  );
}
