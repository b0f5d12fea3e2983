import type { ErrorObject } from 'ajv';
import type { FieldError } from '../../../shared/errors.ts';

/** More than this many errors help nobody. */
const MOST_ERRORS = 50;

/** What a failed keyword of JSON Schema is called in an answer. The messages never hold the value that was sent. */
const WORDS: Readonly<Record<string, (params: Params) => [code: string, message: string]>> = {
  required: () => ['REQUIRED', 'Is required.'],
  additionalProperties: () => ['UNKNOWN_FIELD', 'There is no such field.'],
  type: ({ type }) => ['WRONG_TYPE', `Must be of type ${type}.`],
  minLength: ({ limit }) => ['TOO_SHORT', `Must have at least ${limit} character${limit === 1 ? '' : 's'}.`],
  maxLength: ({ limit }) => ['TOO_LONG', `Must have at most ${limit} characters.`],
  minItems: ({ limit }) => ['TOO_FEW', `Must have at least ${limit} item${limit === 1 ? '' : 's'}.`],
  maxItems: ({ limit }) => ['TOO_MANY', `Must have at most ${limit} items.`],
  minimum: ({ limit }) => ['OUT_OF_RANGE', `Must be at least ${limit}.`],
  maximum: ({ limit }) => ['OUT_OF_RANGE', `Must be at most ${limit}.`],
  enum: ({ allowedValues }) => ['NOT_ALLOWED', `Must be one of: ${words(allowedValues)}.`],
  format: ({ format }) => ['INVALID_FORMAT', `Must have the format ${format}.`],
  pattern: () => [
    'INVALID_FORMAT',
    'Must have the form described, without control characters, and not be blank.',
  ],
};

type Params = Readonly<Record<string, unknown>>;

/**
 * Field errors from Ajv's: one a field, with paths such as `data.allergies[0].name` below `root`,
 * codes in upper case, and the value in none of them.
 */
export function fieldErrors(root: string, errors: readonly ErrorObject[]): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    const field = fieldName(root, error);
    const [code, message] = WORDS[error.keyword]?.(error.params) ?? ['INVALID', 'Is not valid.'];
    if (!found.has(field)) found.set(field, { field, code, message });
    if (found.size === MOST_ERRORS) break;
  }
  return [...found.values()];
}

/** A path such as `data.allergies[0].name` from its steps. */
export function fieldPath(root: string, steps: readonly string[]): string {
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}.${readable(step)}`),
    root,
  );
}

function fieldName(root: string, { instancePath, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1).map(unescaped);
  const member = params.missingProperty ?? params.additionalProperty;
  return fieldPath(root, typeof member === 'string' ? [...steps, member] : steps);
}

/** RFC 6901, section 4. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The client chose the names of unknown fields: bounded, and nothing in them that a log or a page could trip over. */
function readable(key: string): string {
  return key.slice(0, 64).replace(/[^\p{L}\p{N}_$ -]/gu, '?');
}

function words(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : '';
}
