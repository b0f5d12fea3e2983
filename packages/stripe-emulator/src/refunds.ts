import type { Account } from './account.ts';
import type { FormObject } from './form.ts';
import { generateStripeId } from './ids.ts';
import { parseMetadata, parseNumber, parseString } from './params.ts';
import type { Charge, Dispute, Refund } from './sales-objects.ts';
import { createInvalidRequestError, createMissingParamError } from './stripe-error.ts';

/** Refund a charge, by default the rest of it. */
export function createRefund(account: Account, form: FormObject): Refund {
  const charge = findCharge(account, form);
  const left = charge.amount - charge.amount_refunded;
  const amount = parseNumber(form, 'amount') ?? left;
  if (charge.status !== 'succeeded') throw createInvalidRequestError('This charge was never paid.', 'charge');
  if (charge.disputed)
    throw createInvalidRequestError('This charge has been charged back.', 'charge', 'charge_disputed');
  if (left === 0)
    throw createInvalidRequestError(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      'charge_already_refunded',
    );
  if (amount < 1 || amount > left)
    throw createInvalidRequestError(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`,
      'amount',
    );
  const refund = account.add('refund', {
    id: generateStripeId('re'),
    object: 'refund',
    amount,
    balance_transaction: generateStripeId('txn'),
    charge: charge.id,
    created: account.getNow(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: parseMetadata(form),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: parseString(form, 'reason') ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  });
  const refunded = charge.amount_refunded + amount;
  account.update(charge, { amount_refunded: refunded, refunded: refunded === charge.amount });
  account.emit('refund.created', refund);
  account.emit('charge.refunded', charge);
  account.emit('charge.refund.updated', refund);
  return refund;
}

export function openDispute(account: Account, charge: Charge, reason = 'fraudulent'): Dispute {
  if (charge.status !== 'succeeded' || charge.disputed)
    throw createInvalidRequestError('Only a charge that was paid can be disputed, and once.', 'charge');
  const now = account.getNow();
  account.update(charge, { disputed: true });
  const dispute: Dispute = {
    id: generateStripeId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: now + 14 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
      type: 'card',
    },
    reason,
    status: 'needs_response',
  };
  account.add('dispute', dispute, 'charge.dispute.created');
  account.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Close a dispute. A won one returns the money; the charge stays disputed. */
export function closeDispute(account: Account, dispute: Dispute, status: 'won' | 'lost'): Dispute {
  if (dispute.status === 'won' || dispute.status === 'lost')
    throw createInvalidRequestError('This dispute is closed.');
  account.update(dispute, { status }, 'charge.dispute.closed');
  if (status === 'won') account.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

function findCharge(account: Account, form: FormObject): Charge {
  const chargeId = parseString(form, 'charge');
  if (chargeId) return account.require('charge', chargeId, 'charge');
  const intentId = parseString(form, 'payment_intent');
  if (!intentId) throw createMissingParamError('payment_intent');
  const intent = account.require('payment_intent', intentId, 'payment_intent');
  if (!intent.latest_charge)
    throw createInvalidRequestError(
      'This PaymentIntent does not have a successful charge to refund.',
      'payment_intent',
    );
  return account.require('charge', intent.latest_charge, 'payment_intent');
}
