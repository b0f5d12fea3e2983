import { Type } from 'typebox';
import { BILLING_INTERVALS } from '../../../shared/billing-interval.ts';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';

const Interval = stringEnum(BILLING_INTERVALS);

const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });

export const CheckoutRequest = Type.Object({
  packageId: Id,
  interval: Interval,
  currency: Type.Optional({
    ...Currency,
    description: 'ISO 4217 code; required when the package has several currencies.',
  }),
});

export const CheckoutSession = Type.Object(
  {
    id: Id,
    url: Type.String({ description: 'Checkout page of the payment provider.' }),
  },
  { $id: 'CheckoutSession' },
);

export const CheckoutState = Type.Object(
  {
    id: Id,
    packageId: Id,
    interval: Interval,
    currency: Currency,
    status: stringEnum(['OPEN', 'COMPLETED', 'EXPIRED'], {
      description: 'EXPIRED also when another checkout replaced it.',
    }),
    expiresAt: Timestamp,
    createdAt: Timestamp,
  },
  { $id: 'CheckoutState' },
);

export const PortalSession = Type.Object(
  {
    url: Type.String({
      description: 'Page of the payment provider for this user, valid for a short time.',
    }),
  },
  { $id: 'PortalSession' },
);

export const PlanChangeChoice = Type.Object({ packageId: Id, interval: Interval });

export const PlanChangeRequest = Type.Object({
  ...PlanChangeChoice.properties,
  previewedAt: Type.String({
    format: 'date-time',
    maxLength: 40,
    description: 'Value of the preview, which sets the price of the change.',
  }),
});

export const SubscriptionChangePreview = Type.Object(
  {
    subscriptionId: Id,
    packageId: Id,
    interval: Interval,
    previewedAt: Timestamp,
    currency: Currency,
    dueNow: Type.Integer({ description: 'Due now, in minor units; negative for a credit.' }),
    perPeriod: Type.Integer({ description: 'Due for each later period, in minor units.' }),
    currentPeriodEnd: nullable(Timestamp),
  },
  { $id: 'SubscriptionChangePreview' },
);

export const CancelSubscriptionQuery = Type.Object({
  when: stringEnum(['PERIOD_END', 'NOW'], {
    default: 'PERIOD_END',
    description: 'At the end of the paid period or now.',
  }),
});
