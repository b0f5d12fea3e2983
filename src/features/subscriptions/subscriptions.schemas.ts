import { Type } from 'typebox';
import { Id, nullable, oneOf, Timestamp } from '../../shared/common.schemas.ts';

const Limits = Type.Record(Type.String(), Type.Unsafe<number | null>({ type: ['integer', 'null'] }), {
  description: 'Name of a limit to its number; null is none.',
});

const Price = Type.Object({
  interval: oneOf(['month', 'year']),
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

export const SubscriptionStatus = Type.Object(
  {
    id: nullable(Id),
    package: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    state: oneOf(['NONE', 'ACTIVE', 'PAST_DUE', 'CANCELED'], {
      description: 'NONE: there is no subscription, and the package is the free one.',
    }),
    currentPeriodEnd: nullable(Timestamp),
    cancelAtPeriodEnd: Type.Boolean(),
    usage: Type.Object({ qrCodes: Type.Integer(), memoryTags: Type.Integer() }),
    limits: Limits,
    keepsWorking: Type.Literal(true, {
      description: 'Whatever becomes of the subscription, codes that are printed keep working.',
    }),
  },
  { $id: 'SubscriptionStatus' },
);
