import type { CurrentUser } from '../../platform/authentication.ts';
import type { Checkout, Offer } from '../../providers/payments/payments.port.ts';
import { languageOf } from '../../shared/languages/choose-language.ts';
import type { CheckoutRow } from './checkout.repository.ts';
import { isNotDone } from './payment-failures.ts';
import { customerOf, isGone, isRepriced, priceIdOf } from './payment-names.ts';
import type { SellingServices } from './purchase-services.ts';

/**
 * Has the provider open a page, under the key of its row. Where it has deleted the customer or retired the price, as somebody
 * does by hand, it is asked once more with others. Throws PaymentError.
 */
export async function askForPage(
  services: SellingServices,
  user: CurrentUser,
  row: CheckoutRow,
  offer: Offer,
): Promise<Checkout> {
  const { payments, paymentReturnUrl } = services;
  const ask = async (customerId: string, priceId: string) => {
    const order = {
      ...{ customerId, priceId, userId: user.id, expiresAt: row.expiresAt },
      successUrl: `${paymentReturnUrl}/checkout/done`,
      cancelUrl: `${paymentReturnUrl}/checkout/back`,
      language: languageOf(user.language).tag,
    };
    return payments.openCheckout(order, `checkout:${row.id}`);
  };
  const [customerId, priceId] = [await customerOf(services, user), await priceIdOf(services, offer)];
  try {
    return await ask(customerId, priceId);
  } catch (error) {
    if (!isNotDone(error)) throw error;
    const [isGoneCustomer, isOtherPrice] = [
      await isGone(services, customerId),
      await isRepriced(services, offer, priceId),
    ];
    if (!isGoneCustomer && !isOtherPrice) throw error;
    return await ask(await customerOf(services, user), await priceIdOf(services, offer));
  }
}
