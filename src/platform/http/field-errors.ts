import type { ErrorObject } from 'ajv';
import type { FieldError } from '../../shared/errors.ts';
import { shownName } from './text.ts';

const MAX_SHOWN = 100;

const CODES: Record<string, string> = {
  required: 'REQUIRED',
  dependentRequired: 'REQUIRED',
  additionalProperties: 'UNKNOWN_FIELD',
  unevaluatedProperties: 'UNKNOWN_FIELD',
  propertyNames: 'UNKNOWN_FIELD',
  type: 'WRONG_TYPE',
  minLength: 'TOO_SHORT',
  maxLength: 'TOO_LONG',
  minimum: 'TOO_SMALL',
  exclusiveMinimum: 'TOO_SMALL',
  maximum: 'TOO_LARGE',
  exclusiveMaximum: 'TOO_LARGE',
  minItems: 'TOO_FEW',
  minProperties: 'TOO_FEW',
  maxItems: 'TOO_MANY',
  maxProperties: 'TOO_MANY',
  uniqueItems: 'NOT_UNIQUE',
  multipleOf: 'WRONG_STEP',
  pattern: 'BAD_FORMAT',
  format: 'BAD_FORMAT',
  enum: 'NOT_ALLOWED',
  const: 'NOT_ALLOWED',
  anyOf: 'NO_MATCH',
  oneOf: 'NO_MATCH',
};

/** Keywords that only say that a deeper error, reported beside them, exists. */
const WRAPPERS = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'propertyNames']);

/**
 * What Ajv found, as fields a client can point at: one entry a field and code, 100 at most, never a value that
 * was sent. `root` names the whole when it is itself wrong (`body`), `prefix` is put before every path (`data`).
 */
export function fieldErrors(errors: readonly ErrorObject[], root = 'body', prefix = ''): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    if (WRAPPERS.has(error.keyword) && errors.some((other) => liesBelow(other, error))) continue;
    const field = fieldPath(error, prefix) || root;
    const code = CODES[error.keyword] ?? 'INVALID';
    const key = `${field} ${code}`;
    if (!found.has(key)) found.set(key, { field, code, message: sentence(error) });
    if (found.size === MAX_SHOWN) break;
  }
  return [...found.values()];
}

function liesBelow(other: ErrorObject, wrapper: ErrorObject): boolean {
  return (
    other !== wrapper && !WRAPPERS.has(other.keyword) && other.instancePath.startsWith(wrapper.instancePath)
  );
}

function fieldPath(error: ErrorObject, prefix: string): string {
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName } = error.params;
  const last = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName;
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (typeof last === 'string') steps.push(last);
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? shownName(step) : `${path}.${shownName(step)}`;
  }, prefix);
}

/** RFC 6901, section 4. */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function sentence(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
      return 'Is required.';
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return 'Is not a known field.';
    case 'enum':
      return `Must be one of: ${error.params.allowedValues.join(', ')}.`;
    case 'pattern':
      return 'Does not have the expected form.';
    default: {
      const text = error.message ?? 'is not valid';
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
    }
  }
}
