import { Type } from 'typebox';
import { BILLING_INTERVALS } from '../../../shared/billing-interval.ts';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import {
  isStateWithPackage,
  STATES_WITH_PACKAGE,
  SUBSCRIPTION_STATES,
} from '../../../shared/subscription-state.ts';

export const PlanUsage = Type.Object({
  qrCodes: Type.Integer(),
  memoryTags: Type.Integer(),
  documents: Type.Integer(),
  members: Type.Integer({ description: 'With the invitations that can be accepted.' }),
  storageBytes: Type.Integer({
    description: 'Bytes of pictures, of all document versions and of the errors of imports.',
  }),
});

const Limits = Type.Record(Type.String(), Type.Unsafe<number | null>({ type: ['integer', 'null'] }), {
  description: 'Limits by name; null is unlimited.',
});

const Price = Type.Object({
  interval: stringEnum(BILLING_INTERVALS),
  currency: Type.String({ description: 'ISO 4217.' }),
  amount: Type.Integer({ description: 'In minor units (cents).' }),
});

export const SubscriptionPackage = Type.Object(
  {
    id: Id,
    code: Type.String({ description: 'FREE, PERSONAL, FAMILY, BUSINESS or ENTERPRISE.' }),
    name: Type.String({ description: 'In the requested language, otherwise in that of the account.' }),
    prices: Type.Array(Price, { description: 'Empty for a free package.' }),
    limits: Limits,
    features: Type.Array(Type.String(), { description: 'Names of additional features.' }),
  },
  { $id: 'SubscriptionPackage' },
);

const OTHER_STATES = SUBSCRIPTION_STATES.filter((state) => !isStateWithPackage(state)).map((state) =>
  state === 'INCOMPLETE' ? 'INCOMPLETE (not paid yet)' : state,
);

const LIST = new Intl.ListFormat('en-GB');

const STATES_DESCRIPTION = `${LIST.format(STATES_WITH_PACKAGE)} include the package; ${LIST.format(OTHER_STATES)} do not.`;

const Interval = stringEnum(BILLING_INTERVALS);

export const Subscription = Type.Object(
  {
    id: Id,
    package: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    status: stringEnum(SUBSCRIPTION_STATES, { description: STATES_DESCRIPTION }),
    interval: Interval,
    currency: Type.String({ description: 'ISO 4217.' }),
    price: nullable(Type.Integer({ description: 'Per interval, in minor units.' })),
    currentPeriodEnd: nullable(Timestamp),
    cancelAtPeriodEnd: Type.Boolean({ description: 'Whether it ends with the current period.' }),
    trialEndsAt: nullable(Timestamp),
    startedAt: Timestamp,
    endedAt: nullable(Timestamp),
  },
  { $id: 'Subscription' },
);

export const SubscriptionStatus = Type.Object(
  {
    id: nullable(Id),
    package: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    status: stringEnum(['NONE', ...SUBSCRIPTION_STATES], {
      description: `NONE: there was never a subscription; the package is free. ${STATES_DESCRIPTION}`,
    }),
    interval: nullable(Interval),
    currency: nullable(Type.String()),
    price: nullable(Type.Integer({ description: 'Per interval, in minor units.' })),
    currentPeriodEnd: nullable(Timestamp),
    cancelAtPeriodEnd: Type.Boolean(),
    trialEndsAt: nullable(Timestamp),
    usage: PlanUsage,
    limits: Limits,
    keepsWorking: Type.Literal(true, {
      description: 'Printed codes keep working, whatever the status.',
    }),
  },
  { $id: 'SubscriptionStatus' },
);
