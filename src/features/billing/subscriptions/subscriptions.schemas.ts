import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { PACKAGE_INTERVALS } from './package-price.rules.ts';

export const PlanUsage = Type.Object({
  qrCodes: Type.Integer(),
  memoryTags: Type.Integer(),
  documents: Type.Integer(),
  storageBytes: Type.Integer({
    description: 'Bytes of documents, with all their versions, and of pictures.',
  }),
});

const Limits = Type.Record(Type.String(), Type.Unsafe<number | null>({ type: ['integer', 'null'] }), {
  description: 'Name of a limit to its number; null is none.',
});

const Price = Type.Object({
  interval: stringEnum(PACKAGE_INTERVALS),
  currency: Type.String({ description: 'ISO 4217.' }),
  amount: Type.Integer({ description: 'In minor units (cents).' }),
});

export const SubscriptionPackage = Type.Object(
  {
    id: Id,
    code: Type.String({ description: 'FREE, PERSONAL, FAMILY, BUSINESS or ENTERPRISE.' }),
    name: Type.String({ description: 'In the language asked for, else in that of the account.' }),
    prices: Type.Array(Price, { description: 'None for what is free.' }),
    limits: Limits,
    features: Type.Array(Type.String(), { description: 'Words that name what it has beyond.' }),
  },
  { $id: 'SubscriptionPackage' },
);

export const LanguageHeader = Type.Object({
  'accept-language': Type.Optional(Type.String({ description: 'Languages for names (RFC 9110, 12.5.4).' })),
});

const SUBSCRIPTION_STATES = [
  'INCOMPLETE',
  'TRIALING',
  'ACTIVE',
  'PAST_DUE',
  'UNPAID',
  'PAUSED',
  'CANCELED',
] as const;

const STATES_DESCRIPTION =
  'TRIALING, ACTIVE and PAST_DUE give the package; INCOMPLETE (not paid yet), UNPAID, PAUSED and CANCELED do not.';

const Interval = stringEnum(PACKAGE_INTERVALS);

export const Subscription = Type.Object(
  {
    id: Id,
    package: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    state: stringEnum(SUBSCRIPTION_STATES, { description: STATES_DESCRIPTION }),
    interval: Interval,
    currency: Type.String({ description: 'ISO 4217.' }),
    price: nullable(Type.Integer({ description: 'For each interval, in minor units.' })),
    currentPeriodEnd: nullable(Timestamp),
    cancelAtPeriodEnd: Type.Boolean({ description: 'Whether it ends with the period.' }),
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
    state: stringEnum(['NONE', ...SUBSCRIPTION_STATES], {
      description: `NONE: there was never a subscription, and the package is the free one. ${STATES_DESCRIPTION}`,
    }),
    interval: nullable(Interval),
    currency: nullable(Type.String()),
    price: nullable(Type.Integer({ description: 'For each interval, in minor units.' })),
    currentPeriodEnd: nullable(Timestamp),
    cancelAtPeriodEnd: Type.Boolean(),
    trialEndsAt: nullable(Timestamp),
    usage: PlanUsage,
    limits: Limits,
    keepsWorking: Type.Literal(true, {
      description: 'Whatever becomes of the subscription, codes that are printed keep working.',
    }),
  },
  { $id: 'SubscriptionStatus' },
);
