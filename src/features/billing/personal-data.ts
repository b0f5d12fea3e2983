import { type Static, Type } from 'typebox';
import {
  defineExportedList,
  defineExportedRows,
  defineExportedValue,
  defineNonPersonalTable,
  definePersonalData,
  defineTableDeletedOnErasure,
  defineTableKeptOnErasure,
  type PersonalDataExportContext,
} from '../../platform/personal-data.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import {
  type EarlierSubscription,
  findInvoicesByIds,
  listEarlierSubscriptions,
} from './personal-data.repository.ts';
import type { PlanService } from './subscriptions/plans.ts';
import { listUserSubscriptions, type SubscriptionRow } from './subscriptions/subscription.repository.ts';

const Text = Type.String();
const AnyObject = Type.Record(Type.String(), Type.Unknown());

const ExportedPackage = Type.Object({ code: Text, name: Text, limits: AnyObject, usage: AnyObject });

const ExportedSubscription = Type.Object({
  id: Id,
  provider: Text,
  package: Text,
  interval: Text,
  currency: Text,
  price: nullable(Type.Integer({ description: 'For each interval, in minor units.' })),
  status: Text,
  startedAt: Timestamp,
  currentPeriodEnd: nullable(Timestamp),
  cancelAtPeriodEnd: Type.Boolean(),
  trialEndsAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  earlier: Type.Array(Type.Object({ package: Text, interval: Text, currency: Text, until: Timestamp }), {
    description: 'What it was before each change.',
  }),
});

const ExportedInvoice = Type.Object({
  id: Id,
  subscriptionId: nullable(Id),
  provider: Text,
  number: nullable(Text),
  status: Text,
  currency: Text,
  total: Type.Integer({ description: 'In minor units, as all amounts.' }),
  amountPaid: Type.Integer(),
  amountRefunded: Type.Integer(),
  disputed: Type.Boolean(),
  periodStart: nullable(Timestamp),
  periodEnd: nullable(Timestamp),
  issuedAt: Timestamp,
  paidAt: nullable(Timestamp),
});

type InvoiceRow = Awaited<ReturnType<typeof findInvoicesByIds>>[number];

export const billingPersonalData = definePersonalData({
  tables: {
    subscription_packages: defineNonPersonalTable(
      'Packages on offer. The user’s package is in `package` of the archive.',
    ),
    subscription_package_versions: defineNonPersonalTable('Versions of packages.'),
    payment_prices: defineNonPersonalTable('Ids of prices at a payment provider.'),
    payment_customers: defineTableDeletedOnErasure(
      { not: 'ids of the user at a payment provider' },
      { how: 'Together with the customer at the provider.' },
    ),
    checkout_sessions: defineTableDeletedOnErasure({ not: 'ids of checkout pages' }),
    subscriptions: {
      exported: { in: 'subscriptions' },
      erased: 'KEPT',
      how: 'Kept for accounting, with the id of the user only. Running subscriptions are canceled.',
    },
    subscription_changes: {
      exported: { in: 'subscriptions' },
      erased: 'KEPT',
      how: 'Kept with the subscription.',
    },
    payment_invoices: {
      exported: { in: 'invoices' },
      erased: 'KEPT',
      how: 'Kept for accounting, with the id of the user only.',
      size: { users: ['account_id'] },
    },
    webhook_events: defineTableKeptOnErasure(
      'ids of a payment provider',
      `Contain no personal data; deleted after ${formatLifetime('paymentEvent')}.`,
    ),
    payment_syncs: defineTableKeptOnErasure('ids of a payment provider', 'Contain no personal data.'),
    payment_reconciliations: defineNonPersonalTable('Times of reconciliations with a payment provider.'),
  },
  lists: {
    package: defineExportedValue({
      schema: ExportedPackage,
      async read({ db, userId, getPlan }: PersonalDataExportContext & Pick<PlanService, 'getPlan'>) {
        const plan = await getPlan(db, userId, 'en');
        return {
          code: plan.package.code,
          name: plan.package.name,
          limits: { ...plan.limits },
          usage: { ...plan.usage },
        };
      },
    }),
    subscriptions: defineExportedList({
      item: ExportedSubscription,
      description: 'Your subscriptions, newest first.',
      async *read({ db, userId }: PersonalDataExportContext) {
        const earlier = await listEarlierSubscriptions(db, userId);
        yield (await listUserSubscriptions(db, userId)).map((row) => toExportedSubscription(row, earlier));
      },
    }),
    invoices: defineExportedRows({
      item: ExportedInvoice,
      description: 'Newest first.',
      sources: [{ table: 'payment_invoices', user: 'account_id', at: 'issued_at' }],
      findByIds: findInvoicesByIds,
      toItem: (_context, row) => toExportedInvoice(row),
    }),
  },
});

function toExportedSubscription(
  row: SubscriptionRow,
  earlier: readonly EarlierSubscription[],
): Static<typeof ExportedSubscription> {
  return {
    id: row.id,
    provider: row.provider,
    package: row.code,
    interval: row.interval,
    currency: row.currency,
    price: row.price,
    status: row.state,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    startedAt: row.startedAt.toISOString(),
    currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    earlier: earlier
      .filter(({ subscriptionId }) => subscriptionId === row.id)
      .map(({ subscriptionId: _, until, ...facts }) => ({ ...facts, until: until.toISOString() })),
  };
}

function toExportedInvoice(row: InvoiceRow): Static<typeof ExportedInvoice> {
  return {
    id: row.id,
    subscriptionId: row.subscriptionId,
    provider: row.provider,
    number: row.number,
    status: row.state,
    currency: row.currency,
    disputed: row.isDisputed,
    total: Number(row.total),
    amountPaid: Number(row.amountPaid),
    amountRefunded: Number(row.amountRefunded),
    periodStart: row.periodStart?.toISOString() ?? null,
    periodEnd: row.periodEnd?.toISOString() ?? null,
    issuedAt: row.issuedAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
  };
}
