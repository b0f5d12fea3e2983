import { type Static, type TSchema, Type } from 'typebox';
import { ID_PATTERN } from './ids.ts';
import { formatLifetime } from './lifetimes.ts';

/** Controls, line separators, bidirectional overrides (UAX #9: they disguise names), noncharacters; not joiners. */
const FORBIDDEN_CHARACTERS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\ufdd0-\\ufdef\\ufffe\\uffff';

/** The last two code points of each further plane; as escapes that work with and without the flag u. */
const FORBIDDEN_SURROGATE_PAIRS = Array.from(
  { length: 16 },
  (_, plane) => `\\u${(0xd83f + plane * 0x40).toString(16)}`,
)
  .flatMap((high) => [`${high}\\udffe`, `${high}\\udfff`])
  .join('|');

/** Zero-width characters at the start join nothing; they only make two names look alike. */
const INVISIBLE_START = '[\\s\\u061c\\u200e\\u200f]*[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]';

/** Rendered as nothing: blanks, joiners, direction marks, variation selectors, fillers. */
const INVISIBLE_CHARACTERS =
  '\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2060-\\u2065\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';

export const VISIBLE_CHARACTER_PATTERN = `[^${INVISIBLE_CHARACTERS}]`;

const LINE_PATTERN_TAIL = `(?!${INVISIBLE_START})(?!.*(?:${FORBIDDEN_SURROGATE_PAIRS}))[^${FORBIDDEN_CHARACTERS}]*$`;

export const SINGLE_LINE_PATTERN = `^${LINE_PATTERN_TAIL}`;

export const NON_BLANK_LINE_PATTERN = `^(?=.*${VISIBLE_CHARACTER_PATTERN})${LINE_PATTERN_TAIL}`;

const TEXT_PATTERN_TAIL = '[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$';

/** Of the control characters only line feed and tab. */
export const FREE_TEXT_PATTERN = `^${TEXT_PATTERN_TAIL}`;

export const NON_BLANK_TEXT_PATTERN = `^(?!\\s*$)${TEXT_PATTERN_TAIL}`;

/** Names of these patterns in the OpenAPI document, where they would be most of it. */
export const TEXT_FORMATS_BY_PATTERN: ReadonlyMap<string, string> = new Map([
  [SINGLE_LINE_PATTERN, 'single-line'],
  [NON_BLANK_LINE_PATTERN, 'non-blank-line'],
  [FREE_TEXT_PATTERN, 'plain-text'],
  [NON_BLANK_TEXT_PATTERN, 'non-blank-text'],
]);

export const Id = Type.String({ pattern: ID_PATTERN, description: 'Record id: 24 hexadecimal digits.' });

/** Fields of a record that an account owns. */
export const ACCOUNT_FIELDS = {
  accountId: Id,
  ownerId: Type.String({
    pattern: ID_PATTERN,
    description: 'Record id: 24 hexadecimal digits. Same as accountId.',
    deprecated: true,
  }),
};

/** Values of `ACCOUNT_FIELDS`. */
export function toAccountFields(accountId: string): { accountId: string; ownerId: string } {
  return { accountId, ownerId: accountId };
}

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'UTC, ISO 8601 with milliseconds.',
});

export const createDateOrDateTimeSchema = (description: string) =>
  Type.String({ maxLength: 40, format: 'date-or-date-time', description });

/** Query parameters of lists and exports. */
export const TIME_RANGE_FILTERS = {
  from: Type.Optional(
    createDateOrDateTimeSchema('Start, inclusive. A date without a time is a day in your time zone.'),
  ),
  to: Type.Optional(createDateOrDateTimeSchema('End, exclusive.')),
};

/** Make a schema nullable in a form that coercion and serialization keep apart. */
export function nullable<S extends TSchema>(schema: S) {
  const values: unknown = Reflect.get(schema, 'enum');
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [Reflect.get(schema, 'type'), 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  });
}

export function stringEnum<const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

export type IgnoredNameWarning = `UNKNOWN_FIELD: ${string}`;

/** Warnings of a response, among them the names that a request had and the operation ignored. */
export function createWarningsSchema<const T extends readonly string[]>(...codes: T) {
  const item = Type.Unsafe<T[number] | IgnoredNameWarning>({
    type: 'string',
    pattern: `^(?:${codes.join('|')}|UNKNOWN_FIELD: .*)$`,
    description: `${codes.join(', ')}, or \`UNKNOWN_FIELD: <name>\` for a field that was ignored.`,
  });
  return Type.Array(item);
}

/** Warnings of a response that has no others. */
export const IgnoredNames = Type.Array(Type.String({ pattern: '^UNKNOWN_FIELD: ' }), {
  description: 'A field or parameter that was ignored, as `UNKNOWN_FIELD: <name>`.',
  examples: [[]],
});

/** A field of a body that may be left out: validation fills in its `default`. */
export function withDefault<S extends TSchema>(schema: S): S {
  return Type.Optional(schema);
}

/** Query parameters of exports. */
export const TABLE_EXPORT_PARAMETERS = {
  format: stringEnum(['jsonl', 'csv'], {
    default: 'jsonl',
    description: 'jsonl: JSON Lines, one record on each line. csv: with a header line.',
  }),
  bom: Type.Boolean({
    default: false,
    description: 'Begin CSV with a byte order mark, by which Excel recognizes UTF-8.',
  }),
};

const MAX_REPEATED_VALUES = 50;

/** Create the schema of a query parameter that can be repeated. */
export function repeatable<S extends TSchema>(schema: S, description?: string) {
  return Type.Array(schema, { maxItems: MAX_REPEATED_VALUES, ...(description && { description }) });
}

export function schemaRef<S extends TSchema & { $id?: string }>(schema: S) {
  return Type.Unsafe<Static<S>>({ $ref: `${schema.$id}#` });
}

export function createIdParamsSchema<const N extends readonly string[]>(...names: N) {
  return Type.Unsafe<{ [K in N[number]]: string }>({
    type: 'object',
    required: [...names],
    properties: Object.fromEntries(names.map((name) => [name, Id])),
  });
}

export const FieldProblem = Type.Object(
  {
    field: Type.String({ description: 'Path of the field, such as data.allergies[0].name.' }),
    code: Type.String({ description: 'Machine-readable reason, such as TOO_SHORT.' }),
    message: Type.String(),
  },
  { $id: 'FieldProblem' },
);

export const VisiblePicture = Type.Object(
  {
    id: Id,
    caption: nullable(Type.String()),
    width: Type.Integer({ description: 'Width of the stored image.' }),
    height: Type.Integer(),
    url: Type.String({
      description: `Add the parameter \`w\` (320, 640, 1280 or 2048) for a width. It ends when the picture is hidden or deleted, or the code is paused or deleted. Behind a PIN it also ends after ${formatLifetime('pictureTicket')}, and when the code changes.`,
    }),
  },
  { $id: 'VisiblePicture', description: 'A picture of a code that this visit may see.' },
);

export const DeletedResponse = Type.Object({ id: Id, deleted: Type.Literal(true) }, { $id: 'Deleted' });

export const DoneResponse = Type.Object({ done: Type.Literal(true) }, { $id: 'Done' });

export const IdempotencyKeyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]+$',
      description: `Repeats with the same key return the first response, for ${formatLifetime('idempotentResponse', 'hours')}, with \`Idempotency-Replayed: true\`.`,
    }),
  ),
});

/** Annotation of a named schema whose `version` serves If-Match. */
export const VERSIONED_SCHEMA = { 'x-etag': 'version' } as const;

export function isVersionedSchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Reflect.get(schema, 'x-etag') === 'version';
}

export const AcceptLanguageHeader = Type.Object({
  'accept-language': Type.Optional(Type.String({ description: 'Languages of texts (RFC 9110, 12.5.4).' })),
});
