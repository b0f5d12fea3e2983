import type { Account } from './account.ts';
import { EMPTY_BILLING_DETAILS } from './cards.ts';
import { generateStripeId } from './ids.ts';
import type { Charge, PaymentIntent, PaymentMethod } from './sales-objects.ts';

export function createCharge(
  account: Account,
  intent: PaymentIntent,
  card: PaymentMethod | null,
  failure: { code: string; message: string } | null,
): Charge {
  const email = account.find('customer', intent.customer)?.email ?? null;
  return account.add('charge', {
    id: generateStripeId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: failure ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: failure ? null : generateStripeId('txn'),
    billing_details: { address: EMPTY_BILLING_DETAILS, email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'SANDBOX',
    captured: !failure,
    created: account.getNow(),
    currency: String(intent.currency),
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      network_status: failure ? 'declined_by_network' : 'approved_by_network',
      reason: failure ? 'generic_decline' : null,
      risk_level: 'normal',
      seller_message: failure ? 'The bank did not return any further details.' : 'Payment complete.',
      type: failure ? 'issuer_declined' : 'authorized',
    },
    paid: !failure,
    payment_intent: intent.id,
    payment_method: card?.id ?? null,
    payment_method_details: { card: { brand: 'visa', last4: card?.card.last4 ?? null }, type: 'card' },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: failure ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  });
}
