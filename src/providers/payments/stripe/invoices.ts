import type Stripe from 'stripe';
import type { PaymentProvider } from '../payments.port.ts';
import { iterateAllPages } from './iterate-all-pages.ts';
import {
  EXPAND_LATEST_CHARGE,
  fetchInvoicePaymentSummary,
  mergeInvoicePaymentSummaries,
} from './payment-summary.ts';
import type { StripeCall } from './stripe-client.ts';
import { nullIfPaymentObjectNotFound } from './stripe-errors.ts';
import { getStripeObjectId, toUnixSeconds } from './stripe-values.ts';
import {
  EMPTY_INVOICE_PAYMENT_SUMMARY,
  type InvoicePaymentSummary,
  toProviderInvoice,
} from './to-provider-invoice.ts';

type InvoiceMethods = Pick<
  PaymentProvider,
  'findInvoice' | 'findInvoiceOfCharge' | 'findInvoiceUrl' | 'listInvoices'
>;

export function createStripeInvoiceMethods(callStripe: StripeCall): InvoiceMethods {
  return {
    findInvoice: (id) =>
      nullIfPaymentObjectNotFound(
        callStripe(async (stripe) => {
          const invoice = await stripe.invoices.retrieve(id);
          return toProviderInvoice(invoice, await fetchPaymentSummary(callStripe, invoice));
        }),
      ),

    findInvoiceOfCharge: (chargeId) =>
      nullIfPaymentObjectNotFound(
        callStripe(async (stripe) => {
          const intent = getStripeObjectId((await stripe.charges.retrieve(chargeId)).payment_intent);
          if (intent === null) return null;
          const payment = { type: 'payment_intent', payment_intent: intent };
          const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
          return getStripeObjectId(data[0]?.invoice);
        }),
      ),

    findInvoiceUrl: (id) =>
      nullIfPaymentObjectNotFound(
        callStripe(async (stripe) => (await stripe.invoices.retrieve(id)).hosted_invoice_url ?? null),
      ),

    async *listInvoices(since) {
      const created = { gte: toUnixSeconds(since) };
      // An invoice is older than its payments.
      const summaries = await collectPaymentSummaries(
        callStripe,
        iterateAllPages(callStripe, (stripe, page) =>
          stripe.invoicePayments.list({ created, expand: EXPAND_LATEST_CHARGE, ...page }),
        ),
      );
      const pages = iterateAllPages(callStripe, (stripe, page) => stripe.invoices.list({ created, ...page }));
      for await (const invoice of pages) {
        const found = toProviderInvoice(invoice, summaries.get(invoice.id) ?? EMPTY_INVOICE_PAYMENT_SUMMARY);
        if (found) yield found;
      }
    },
  };
}

async function fetchPaymentSummary(
  callStripe: StripeCall,
  { id, status }: Stripe.Invoice,
): Promise<InvoicePaymentSummary> {
  if (status === 'draft') return EMPTY_INVOICE_PAYMENT_SUMMARY;
  const { data } = await callStripe((stripe) =>
    stripe.invoicePayments.list({ invoice: id, expand: EXPAND_LATEST_CHARGE, limit: 100 }),
  );
  const summaries = [];
  for (const payment of data) summaries.push(await fetchInvoicePaymentSummary(callStripe, payment));
  return mergeInvoicePaymentSummaries(summaries);
}

/** Payments exist for a few of the invoices only. */
async function collectPaymentSummaries(
  callStripe: StripeCall,
  payments: AsyncIterable<Stripe.InvoicePayment>,
): Promise<Map<string, InvoicePaymentSummary>> {
  const summaries = new Map<string, InvoicePaymentSummary>();
  for await (const payment of payments) {
    const id = getStripeObjectId(payment.invoice);
    const summary = await fetchInvoicePaymentSummary(callStripe, payment);
    const isRelevant = summary.refunded > 0 || summary.isDisputed || summary.needsAction;
    if (isRelevant)
      summaries.set(
        id,
        mergeInvoicePaymentSummaries([summaries.get(id) ?? EMPTY_INVOICE_PAYMENT_SUMMARY, summary]),
      );
  }
  return summaries;
}
