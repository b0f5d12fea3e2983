import {
  FREE_TEXT_PATTERN,
  NON_BLANK_LINE_PATTERN,
  NON_BLANK_TEXT_PATTERN,
  SINGLE_LINE_PATTERN,
} from './common.schemas.ts';
import type { FieldError } from './errors.ts';
import { FORMATS } from './formats.ts';
import { describeUnusualCharacter } from './unusual-characters.ts';

export interface SchemaValidationError {
  keyword: string;
  instancePath: string;
  params: KeywordParams;
  parentSchema?: unknown;
  /** The value. */
  data?: unknown;
}

type KeywordParams = Readonly<Record<string, unknown>>;
type ErrorDescription = readonly [
  code: string,
  message: (params: KeywordParams, parentSchema?: unknown) => string,
];

const MAX_FIELD_ERRORS = 50;

/** Patterns of plain texts; others are reported as INVALID_FORMAT. */
const TEXT_PATTERN_MESSAGES: ReadonlyMap<unknown, string> = new Map([
  [SINGLE_LINE_PATTERN, 'Must be a single line without control or invisible characters.'],
  [NON_BLANK_LINE_PATTERN, 'Must be a single non-blank line without control or invisible characters.'],
  [FREE_TEXT_PATTERN, 'Must not contain control characters.'],
  [NON_BLANK_TEXT_PATTERN, 'Must not be blank or contain control characters.'],
]);

const REQUIRED_ERROR: ErrorDescription = ['REQUIRED', () => 'Is required.'];
const UNKNOWN_FIELD_ERROR: ErrorDescription = ['UNKNOWN_FIELD', () => 'Is not a known field.'];
const NO_MATCH_ERROR: ErrorDescription = ['NO_MATCH', () => 'Does not match any allowed format.'];

/** By priority: a field reports only its first error, since fixing it often fixes the rest. */
const ERRORS_BY_KEYWORD: ReadonlyMap<string, ErrorDescription> = new Map<string, ErrorDescription>([
  ['required', REQUIRED_ERROR],
  ['dependentRequired', REQUIRED_ERROR],
  ['additionalProperties', UNKNOWN_FIELD_ERROR],
  ['unevaluatedProperties', UNKNOWN_FIELD_ERROR],
  ['propertyNames', UNKNOWN_FIELD_ERROR],
  ['type', ['WRONG_TYPE', ({ type }) => `Must be of type ${joinValues(type, ' or ')}.`]],
  ['enum', ['NOT_ALLOWED', ({ allowedValues }) => `Must be one of: ${joinValues(allowedValues, ', ')}.`]],
  ['const', ['NOT_ALLOWED', ({ allowedValue }) => `Must be ${String(allowedValue)}.`]],
  ['minLength', ['TOO_SHORT', ({ limit }) => `Must have at least ${formatCount(limit, 'character')}.`]],
  ['maxLength', ['TOO_LONG', ({ limit }) => `Must have at most ${formatCount(limit, 'character')}.`]],
  ['format', ['BAD_FORMAT', ({ format }) => `Must have the format ${String(format)}.`]],
  ['pattern', ['BAD_FORMAT', describePattern]],
  ['minimum', ['TOO_SMALL', ({ limit }) => `Must be at least ${String(limit)}.`]],
  ['exclusiveMinimum', ['TOO_SMALL', ({ limit }) => `Must be more than ${String(limit)}.`]],
  ['maximum', ['TOO_LARGE', ({ limit }) => `Must be at most ${String(limit)}.`]],
  ['exclusiveMaximum', ['TOO_LARGE', ({ limit }) => `Must be less than ${String(limit)}.`]],
  ['multipleOf', ['WRONG_STEP', ({ multipleOf }) => `Must be a multiple of ${String(multipleOf)}.`]],
  ['minItems', ['TOO_FEW', ({ limit }) => `Must have at least ${formatCount(limit, 'item')}.`]],
  ['minProperties', ['TOO_FEW', ({ limit }) => `Must have at least ${formatCount(limit, 'field')}.`]],
  ['maxItems', ['TOO_MANY', ({ limit }) => `Must have at most ${formatCount(limit, 'item')}.`]],
  ['maxProperties', ['TOO_MANY', ({ limit }) => `Must have at most ${formatCount(limit, 'field')}.`]],
  ['uniqueItems', ['NOT_UNIQUE', () => 'Must not contain duplicate items.']],
  ['anyOf', NO_MATCH_ERROR],
  ['oneOf', NO_MATCH_ERROR],
]);

const OTHER_ERROR: ErrorDescription = ['INVALID', () => 'Is invalid.'];
const KEYWORD_PRIORITY: readonly string[] = [...ERRORS_BY_KEYWORD.keys()];

const WRAPPER_KEYWORDS = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'propertyNames']);

/** Convert validator errors: one per field, never a value, but for a character that nobody sees. `whole` names a wrong root; `prefix` precedes paths. */
export function toFieldErrors(
  schemaErrors: readonly SchemaValidationError[],
  rootName = 'body',
  prefix = '',
): FieldError[] {
  const chosen = new Map<string, SchemaValidationError>();
  for (const schemaError of schemaErrors) {
    if (
      WRAPPER_KEYWORDS.has(schemaError.keyword) &&
      schemaErrors.some((other) => isNestedError(other, schemaError))
    )
      continue;
    const field = formatFieldPath(getPathSteps(schemaError), prefix) || rootName;
    const previous = chosen.get(field);
    if (previous === undefined || getPriority(schemaError) < getPriority(previous))
      chosen.set(field, schemaError);
  }
  return [...chosen].slice(0, MAX_FIELD_ERRORS).map(([field, schemaError]) => {
    const { keyword, params, parentSchema } = schemaError;
    const hint = describeHiddenReason(schemaError);
    const format = keyword === 'format' ? FORMATS[String(params.format)] : undefined;
    if (format) return { field, code: format.code, message: `${format.message}${hint}` };
    const [code, message] = ERRORS_BY_KEYWORD.get(keyword) ?? OTHER_ERROR;
    return { field, code, message: `${message(params, parentSchema)}${hint}` };
  });
}

/** Formats of texts that may have spaces. */
const SPACED_FORMATS = ['phone'];

/** Name a blank or an invisible character that may be the reason of an error. */
function describeHiddenReason({ keyword, params, data }: SchemaValidationError): string {
  if (typeof data !== 'string' || !['pattern', 'format', 'enum', 'const'].includes(keyword)) return '';
  const { pattern, format } = params;
  const isText = TEXT_PATTERN_MESSAGES.has(pattern);
  const isMultiline = pattern === FREE_TEXT_PATTERN || pattern === NON_BLANK_TEXT_PATTERN;
  const hasSpaces = isText || SPACED_FORMATS.includes(String(format));
  const found = describeUnusualCharacter(data, `${hasSpaces ? ' ' : ''}${isMultiline ? '\n\t' : ''}`);
  return found === null ? '' : ` It has ${found}.`;
}

/** Take the errors of a validator and clear them: they hold the values that were sent. */
export function takeSchemaValidationErrors(validator: {
  errors?: null | SchemaValidationError[];
}): SchemaValidationError[] {
  const { errors } = validator;
  validator.errors = null;
  return errors ?? [];
}

/** Format a path such as `data.allergies[0].name`, below `prefix` where it is set. */
export function formatFieldPath(steps: readonly string[], prefix: string): string {
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? sanitizeFieldName(step) : `${path}.${sanitizeFieldName(step)}`;
  }, prefix);
}

/** Truncate a field name to 64 characters without unsafe ones; the client may have chosen it. */
export function sanitizeFieldName(name: string): string {
  return name.slice(0, 64).replace(/[^\p{L}\p{M}\p{N}_$% .[\]-]/gu, '?');
}

function describePattern({ pattern }: KeywordParams, parentSchema: unknown): string {
  const plain = TEXT_PATTERN_MESSAGES.get(pattern);
  if (plain !== undefined) return plain;
  const description: unknown = Reflect.get(Object(parentSchema), 'description');
  return typeof description === 'string'
    ? `Must match the format: ${description}`
    : `Must match ${String(pattern)}`;
}

function isNestedError(other: SchemaValidationError, wrapper: SchemaValidationError): boolean {
  return (
    other !== wrapper &&
    !WRAPPER_KEYWORDS.has(other.keyword) &&
    other.instancePath.startsWith(wrapper.instancePath)
  );
}

function getPathSteps({ instancePath, params }: SchemaValidationError): string[] {
  const member =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  const steps = instancePath.split('/').slice(1).map(unescapePointer);
  return typeof member === 'string' ? [...steps, member] : steps;
}

/** RFC 6901, section 4. */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function getPriority({ keyword }: SchemaValidationError): number {
  const place = KEYWORD_PRIORITY.indexOf(keyword);
  return place === -1 ? KEYWORD_PRIORITY.length : place;
}

function joinValues(values: unknown, separator: string): string {
  return Array.isArray(values) ? values.join(separator) : String(values);
}

function formatCount(limit: unknown, what: string): string {
  return `${String(limit)} ${what}${limit === 1 ? '' : 's'}`;
}
