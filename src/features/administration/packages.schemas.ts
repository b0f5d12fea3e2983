import { Type } from 'typebox';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../shared/common.schemas.ts';
import { LOCALES } from '../../shared/i18n/locales.ts';
import { PACKAGE_LIMIT_NAMES } from '../billing/index.ts';

/** The highest amount that a payment provider accepts. */
const MAX_PRICE_MINOR_UNITS = 99_999_999;

const PackageName = Type.String({ minLength: 1, maxLength: 60, pattern: NON_BLANK_LINE_PATTERN });
const PackageLimit = nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const createProperties = (names: readonly string[], schema: object) =>
  Object.fromEntries(names.map((name) => [name, schema]));

const packageProperties = {
  names: Type.Unsafe<Record<string, string>>({
    type: 'object',
    properties: createProperties([...LOCALES.keys()], PackageName),
    required: ['en'],
    additionalProperties: false,
    description: 'Name by language; a missing one falls back to English.',
  }),
  prices: Type.Array(
    Type.Object(
      {
        interval: stringEnum(['month', 'year']),
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
        amount: Type.Integer({
          minimum: 1,
          maximum: MAX_PRICE_MINOR_UNITS,
          description: 'In minor units (cents).',
        }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 100,
      description:
        'At most one for an interval and currency. FREE has none; other packages on offer have at least one.',
    },
  ),
  limits: Type.Unsafe<Record<string, number | null>>({
    type: 'object',
    properties: createProperties(PACKAGE_LIMIT_NAMES, PackageLimit),
    // Added later: without it, what is stored stays.
    required: PACKAGE_LIMIT_NAMES.filter((name) => name !== 'members'),
    additionalProperties: false,
    description: 'Limit by name; null for unlimited.',
  }),
  features: Type.Array(Type.String({ pattern: '^[A-Z][A-Z_]{1,39}$' }), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Names of additional features.',
  }),
};

/** Parts of packages and their versions, by the name in the OpenAPI document. */
export const PACKAGE_SCHEMAS = {
  PackageNames: packageProperties.names,
  PackagePrices: packageProperties.prices,
  PackageLimits: packageProperties.limits,
  PackageFeatures: packageProperties.features,
};

const offerProperties = {
  onOffer: Type.Boolean({ description: 'Whether it can be bought. Existing subscriptions keep it.' }),
};

export const PackageUpdateRequest = Type.Object({ ...packageProperties, ...offerProperties });

export const AdminPackage = Type.Object(
  {
    id: Id,
    code: Type.String(),
    rank: Type.Integer({ description: 'Sort order, ascending.' }),
    version: Type.Integer({
      description: 'Version number, from 1; the ETag is the same number in quotes.',
    }),
    ...packageProperties,
    ...offerProperties,
  },
  { $id: 'AdminPackage', ...VERSIONED_SCHEMA },
);

export const PackageVersion = Type.Object(
  { version: Type.Integer(), ...packageProperties, createdAt: Timestamp },
  { $id: 'PackageVersion' },
);
