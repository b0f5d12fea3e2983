import type Stripe from 'stripe';
import type { PaymentProvider } from '../payments.port.ts';
import { invoiceOf, NO_FACTS, type PaymentFacts } from './invoice-of.ts';
import { pagesOf } from './pages-of.ts';
import { EXPANDED, factsOf, together } from './payment-facts.ts';
import type { Ask } from './stripe-client.ts';
import { orNull } from './stripe-failure.ts';
import { idOf, secondsOf } from './stripe-values.ts';

type Invoices = Pick<PaymentProvider, 'findInvoice' | 'findInvoiceOfCharge' | 'invoicePage' | 'listInvoices'>;

/** What is asked for, what was paid of it, and what was given back. */
export function createInvoices(ask: Ask): Invoices {
  return {
    findInvoice: (id) =>
      orNull(
        ask(async (stripe) => {
          const invoice = await stripe.invoices.retrieve(id);
          return invoiceOf(invoice, await factsOfInvoice(stripe, invoice));
        }),
      ),

    findInvoiceOfCharge: (chargeId) =>
      orNull(
        ask(async (stripe) => {
          const intent = idOf((await stripe.charges.retrieve(chargeId)).payment_intent);
          if (intent === null) return null;
          const payment = { type: 'payment_intent', payment_intent: intent };
          const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
          return idOf(data[0]?.invoice);
        }),
      ),

    invoicePage: (id) =>
      orNull(ask(async (stripe) => (await stripe.invoices.retrieve(id)).hosted_invoice_url ?? null)),

    async *listInvoices(since) {
      const created = { gte: secondsOf(since) };
      // An invoice is made before its payments.
      const facts = await factsByInvoice(
        pagesOf(ask, (stripe, page) => stripe.invoicePayments.list({ created, expand: EXPANDED, ...page })),
      );
      const pages = pagesOf(ask, (stripe, page) => stripe.invoices.list({ created, ...page }));
      for await (const invoice of pages) {
        const found = invoiceOf(invoice, facts.get(invoice.id) ?? NO_FACTS);
        if (found) yield found;
      }
    },
  };
}

async function factsOfInvoice(stripe: Stripe, { id, status }: Stripe.Invoice): Promise<PaymentFacts> {
  if (status === 'draft') return NO_FACTS;
  const { data } = await stripe.invoicePayments.list({ invoice: id, expand: EXPANDED, limit: 100 });
  return together(data.map(factsOf));
}

/** Of the few invoices of which there is anything to say. */
async function factsByInvoice(
  payments: AsyncIterable<Stripe.InvoicePayment>,
): Promise<Map<string, PaymentFacts>> {
  const facts = new Map<string, PaymentFacts>();
  for await (const payment of payments) {
    const id = idOf(payment.invoice);
    const one = factsOf(payment);
    const isWorthIt = one.refunded > 0 || one.isDisputed || one.needsAction;
    if (isWorthIt) facts.set(id, together([facts.get(id) ?? NO_FACTS, one]));
  }
  return facts;
}
