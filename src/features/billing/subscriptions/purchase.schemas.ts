import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { PACKAGE_INTERVALS } from './package-price.rules.ts';

const Interval = stringEnum(PACKAGE_INTERVALS);

const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });

export const NewCheckout = Type.Object({
  packageId: Id,
  interval: Interval,
  currency: Type.Optional({
    ...Currency,
    description: 'ISO 4217; only where the package has prices in several.',
  }),
});

export const CheckoutSession = Type.Object(
  {
    id: Id,
    url: Type.String({ description: 'The page to pay on, of the payment provider.' }),
  },
  { $id: 'CheckoutSession' },
);

export const CheckoutState = Type.Object(
  {
    id: Id,
    packageId: Id,
    interval: Interval,
    currency: Currency,
    state: stringEnum(['OPEN', 'COMPLETED', 'EXPIRED'], {
      description: 'EXPIRED is also what another choice makes of it.',
    }),
    expiresAt: Timestamp,
    createdAt: Timestamp,
  },
  { $id: 'CheckoutState' },
);

export const PortalSession = Type.Object(
  {
    url: Type.String({
      description: 'A page of the payment provider, for this person and for a short time.',
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
    description: 'As the preview answered it; the change costs what it did then.',
  }),
});

export const ChangePreview = Type.Object(
  {
    subscriptionId: Id,
    packageId: Id,
    interval: Interval,
    previewedAt: Timestamp,
    currency: Currency,
    dueNow: Type.Integer({ description: 'Due at once, in minor units; below zero where it is credited.' }),
    perPeriod: Type.Integer({ description: 'Due for each period from then on, in minor units.' }),
    currentPeriodEnd: nullable(Timestamp),
  },
  { $id: 'SubscriptionChangePreview' },
);

export const CancelQuery = Type.Object({
  when: Type.Optional(
    stringEnum(['period_end', 'now'], {
      default: 'period_end',
      description: 'With the period that is paid, or at once.',
    }),
  ),
});
