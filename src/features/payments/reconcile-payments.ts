import type { ProviderInvoice, ProviderSubscription } from '../../providers/payments/payments.port.ts';
import { compareInvoice, compareSubscription, type FieldDifference } from './compare.rules.ts';
import { countInvoices, findPaidInvoices } from './paid-invoice.repository.ts';
import {
  countSubscriptions,
  findPaidSubscriptions,
  findSoldPackages,
  listRunningSubscriptions,
} from './paid-subscription.repository.ts';
import { findPayers } from './payment-customer.repository.ts';
import type { SellingServices } from './payment-services.ts';
import { syncObject } from './sync-object.ts';
import { wantLook } from './want-look.ts';

/** Objects compared at a time. */
const BATCH = 100;

const DAY = 24 * 60 * 60 * 1000;

/** An object whose row is not what its provider says; ids of the provider and nothing private. */
export interface Difference {
  object: 'SUBSCRIPTION' | 'INVOICE';
  id: string;
  /** Empty where the provider does not know it. */
  fields: FieldDifference[];
  isMended: boolean;
}

export interface ReconcileOptions {
  /** Invoices of so many days are compared. */
  invoiceDays: number;
  /** Nothing is changed. */
  isDry: boolean;
  onDifference(difference: Difference): void;
  progress(done: number, total: number): void;
  signal: AbortSignal;
}

export interface Reconciled {
  subscriptions: number;
  invoices: number;
  /** Of people who are not known here, or were erased. */
  ofNobody: number;
  different: number;
  mended: number;
  /** False where it was stopped before its end. */
  isWhole: boolean;
}

type Paid = ProviderSubscription | ProviderInvoice;

/**
 * Compares every subscription, and the invoices of some days, with what their provider says, and writes what it says
 * by the way that events take, told and audited. What is done stays done: one that is stopped is begun again. A
 * subscription that the provider does not know is only told of, since all of them look like that under the key of another
 * account. Throws PaymentError where the provider does not answer.
 */
export async function reconcilePayments(
  services: SellingServices,
  options: ReconcileOptions,
): Promise<Reconciled> {
  const { payments, database, paymentRateLimiter: paymentPace } = services;
  const { client } = database;
  const { signal, onDifference } = options;
  const since = new Date(Date.now() - options.invoiceDays * DAY);
  const known = await countSubscriptions(client, payments.name);
  const expected = known + (await countInvoices(client, payments.name, since));
  const result = { subscriptions: 0, invoices: 0, ofNobody: 0, different: 0, mended: 0, isWhole: false };
  const listed = new Set<string>();

  async function compareAll(objects: AsyncIterable<Paid>): Promise<void> {
    for await (const batch of batches(objects, paymentPace.turn)) {
      if (signal.aborted) return;
      await compareBatch(batch);
      const done = result.subscriptions + result.invoices;
      options.progress(done, Math.max(done, expected));
    }
  }

  async function compareBatch(batch: readonly Paid[]): Promise<void> {
    const payers = await findPayers(
      client,
      payments.name,
      batch.map(({ customerId }) => customerId),
    );
    for (const { object, id } of batch) {
      if (object === 'SUBSCRIPTION') listed.add(id);
      result[object === 'SUBSCRIPTION' ? 'subscriptions' : 'invoices'] += 1;
    }
    const ours = batch.filter(({ customerId }) => payers.has(customerId));
    result.ofNobody += batch.length - ours.length;
    for (const [seen, fields] of await fieldsOf(services, ours)) {
      if (fields.length === 0) continue;
      // The list takes its time: what it says may be over.
      const [now] = await fieldsOf(services, [await lookAgain(services, seen)]);
      if (now && now[1].length > 0) await differs(...now);
    }
  }

  async function differs(
    { object, id }: Pick<Paid, 'object' | 'id'>,
    fields: FieldDifference[],
  ): Promise<void> {
    result.different += 1;
    const isMended = !options.isDry && (await mend(services, { object, id }));
    if (isMended) result.mended += 1;
    onDifference({ object, id, fields, isMended });
  }

  await compareAll(payments.listSubscriptions());
  for (let after = ''; !signal.aborted; ) {
    const running = await listRunningSubscriptions(client, payments.name, after, BATCH);
    const missing = running.filter((id) => !listed.has(id));
    for (const id of missing) {
      await paymentPace.turn();
      const seen = await payments.findSubscription(id);
      if (seen) await compareBatch([seen]);
      else await differs({ object: 'SUBSCRIPTION', id }, []);
    }
    after = running.at(-1) ?? '';
    if (after === '') break;
  }
  await compareAll(payments.listInvoices(since));
  return { ...result, isWhole: !signal.aborted };
}

async function lookAgain(
  { payments, paymentRateLimiter: paymentPace }: SellingServices,
  seen: Paid,
): Promise<Paid> {
  await paymentPace.turn();
  const { object, id } = seen;
  return (await (object === 'INVOICE' ? payments.findInvoice(id) : payments.findSubscription(id))) ?? seen;
}

async function fieldsOf(
  { payments, database }: SellingServices,
  batch: readonly Paid[],
): Promise<[Paid, FieldDifference[]][]> {
  const { client } = database;
  const ids = (object: Paid['object']) => batch.flatMap((one) => (one.object === object ? one.id : []));
  const prices = batch.flatMap((one) => (one.object === 'SUBSCRIPTION' ? one.priceId : []));
  const sold = await findSoldPackages(client, payments.name, prices);
  const subscriptions = await findPaidSubscriptions(client, payments.name, ids('SUBSCRIPTION'));
  const invoices = await findPaidInvoices(client, payments.name, ids('INVOICE'));
  return batch.map((seen) => [
    seen,
    seen.object === 'SUBSCRIPTION'
      ? compareSubscription(subscriptions.get(seen.id)?.facts ?? null, seen, sold.get(seen.priceId) ?? null)
      : compareInvoice(invoices.get(seen.id)?.facts ?? null, seen),
  ]);
}

/** Has one object looked at now, by the same rules as after an event. False where nothing could be changed. */
async function mend(services: SellingServices, object: Pick<Paid, 'object' | 'id'>): Promise<boolean> {
  await services.database.transaction((tx) => wantLook(tx, services, [object]));
  const synced = await syncObject(services, object.id, 'billing-reconcile');
  // Somebody else has it: they look after this, or their job does.
  if (synced.state !== 'DONE') return synced.state === 'NOTHING';
  return synced.written.changed.length > 0;
}

async function* batches(objects: AsyncIterable<Paid>, turn: () => Promise<void>): AsyncIterable<Paid[]> {
  let batch: Paid[] = [];
  await turn();
  for await (const one of objects) {
    batch.push(one);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    // A page of the provider's list is about as long.
    await turn();
  }
  if (batch.length > 0) yield batch;
}
