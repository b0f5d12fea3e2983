import { Type } from 'typebox';
import { nullable, repeatable, SINGLE_LINE_PATTERN } from './common.schemas.ts';
import { createValidationError } from './errors.ts';

const MAX_METADATA_PAIRS = 50;
const METADATA_KEY_CHARACTERS = '[\\w.-]{1,40}';
const MAX_METADATA_VALUE_CHARACTERS = 500;

/** Visible ASCII characters, so that equal ids are equal bytes. */
export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[!-~]+$',
  description: 'Your own id, unique among your records of this type. Not encrypted.',
});

export type Metadata = Record<string, string>;

const metadataProperties = {
  type: 'object',
  description:
    'Up to 50 pairs of your own. Names have up to 40 letters, digits, dots, hyphens or underscores. Not encrypted.',
};

/** As stored. */
export const MetadataSchema = Type.Unsafe<Metadata>({
  ...metadataProperties,
  additionalProperties: { type: 'string' },
});

/** Pairs to set, and null for those to remove; as a whole null removes all. */
export const MetadataChange = Type.Unsafe<Record<string, string | null> | null>({
  ...metadataProperties,
  type: ['object', 'null'],
  maxProperties: MAX_METADATA_PAIRS,
  propertyNames: { pattern: `^${METADATA_KEY_CHARACTERS}$` },
  additionalProperties: {
    type: ['string', 'null'],
    maxLength: MAX_METADATA_VALUE_CHARACTERS,
    pattern: SINGLE_LINE_PATTERN,
  },
});

/** Fields of a request that creates or changes a record. */
export const REFERENCE_INPUT_FIELDS = {
  externalId: Type.Optional(nullable(ExternalId)),
  metadata: Type.Optional(MetadataChange),
};

/** Fields of a record. */
export const REFERENCE_FIELDS = { externalId: nullable(ExternalId), metadata: MetadataSchema };

export const MetadataPair = Type.String({ maxLength: 541, pattern: `^${METADATA_KEY_CHARACTERS}:.*$` });

/** Filters of a list. */
export const REFERENCE_FILTERS = {
  externalId: Type.Optional(repeatable(ExternalId, 'Any of these ids.')),
  metadata: Type.Optional(
    repeatable(
      MetadataPair,
      'Name and value of a pair, as in `order:4711`. Of several pairs all must match.',
    ),
  ),
};

export interface ReferenceFilter {
  externalIds?: readonly string[] | undefined;
  /** All must match. */
  metadata?: readonly Metadata[] | undefined;
}

/** Read the query parameters of `REFERENCE_FILTERS`. */
export function parseReferenceFilter(query: {
  externalId?: string[] | undefined;
  metadata?: string[] | undefined;
}): ReferenceFilter {
  return { externalIds: query.externalId, metadata: query.metadata?.map(parseMetadataPair) };
}

function parseMetadataPair(text: string): Metadata {
  const colon = text.indexOf(':');
  return { [text.slice(0, colon)]: text.slice(colon + 1) };
}

/** Apply a change. @throws VALIDATION_FAILED for too many pairs */
export function mergeMetadata(before: Metadata, change: Record<string, string | null> | null): Metadata {
  if (change === null) return {};
  const merged = Object.entries({ ...before, ...change }).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  );
  if (merged.length > MAX_METADATA_PAIRS) {
    const message = `Must have at most ${MAX_METADATA_PAIRS} fields.`;
    throw createValidationError({ field: 'metadata', code: 'TOO_MANY', message });
  }
  return Object.fromEntries(merged);
}
