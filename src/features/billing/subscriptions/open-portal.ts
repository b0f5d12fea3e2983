import { getActingAccount } from '../../../platform/acting-account.ts';
import type { CurrentUser } from '../../../platform/authentication.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { callPaymentProvider, isPaymentProviderRejection } from './provider-errors.ts';
import { findCustomerId } from './provider-ids.repository.ts';
import { checkAndMarkCustomerDeleted } from './provider-ids.ts';
import { getPaymentReturnUrl, type PurchaseServices, requireBilling } from './purchase-services.ts';

/**
 * Open the page of the provider where a user changes what they pay with.
 * @returns its address, which is valid for a short time
 * @throws BILLING_DISABLED, NO_CUSTOMER, PROVIDER_UNAVAILABLE
 */
export async function openBillingPortal(services: PurchaseServices, user: CurrentUser): Promise<string> {
  const { database } = services;
  const { payments } = requireBilling(services);
  const customerId = await findCustomerId(database.client, getActingAccount(user).id, payments.name);
  if (customerId === null) throw new ServiceError('NO_CUSTOMER');
  return callPaymentProvider(async () => {
    try {
      const { tag } = toSupportedLocale(user.language);
      return await payments.openPortal(customerId, getPaymentReturnUrl(services, user, '/portal/back'), tag);
    } catch (error) {
      if (
        !isPaymentProviderRejection(error) ||
        !(await checkAndMarkCustomerDeleted({ database, payments }, customerId))
      )
        throw error;
      throw new ServiceError('NO_CUSTOMER');
    }
  });
}
