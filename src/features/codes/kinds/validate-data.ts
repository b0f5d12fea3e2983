import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { isEmail } from '../../../shared/email.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { formatFieldPath, takeSchemaValidationErrors, toFieldErrors } from '../../../shared/field-errors.ts';
import { isPartialDate } from '../../../shared/partial-date.ts';
import { isPhone } from '../../../shared/phone.ts';
import type { QrCodeKindDefinition, QrCodeRuleContext } from './kind-definition.ts';

/** No coercion: `"12"` is not 12, and nothing is removed or defaulted. */
const ajv = new Ajv({ allErrors: true, verbose: true, coerceTypes: false, strict: true });
ajvFormats.default(ajv, ['date', 'date-time']);
// The rule of registration, so that each address of a code could also have an account.
ajv.addFormat('email', isEmail);
ajv.addFormat('phone', isPhone);
ajv.addFormat('partial-date', isPartialDate);

/** Compiled at first use: compiling all kinds would slow the start. */
const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Validate the `data` of a kind; paths of errors start with `data`. */
export function findQrCodeDataErrors(
  context: QrCodeRuleContext,
  kind: QrCodeKindDefinition,
  data: unknown,
): FieldError[] {
  const errors = findSchemaErrors('data', kind.schema, data);
  if (errors.length > 0 || !isRecord(data)) return errors;
  return kind.check?.(data, context) ?? [];
}

/** Also rejects lone surrogates; paths start with `root`. */
export function findSchemaErrors(root: string, schema: TSchema, value: unknown): FieldError[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value)
    ? findMalformedText(root, value)
    : toFieldErrors(takeSchemaValidationErrors(validate), root, root);
}

/** Lone surrogates have no UTF-8 form and would be stored as other text. */
function findMalformedText(root: string, value: unknown, steps: readonly string[] = []): FieldError[] {
  if (typeof value === 'string') {
    const field = formatFieldPath(steps, root);
    return /\p{Surrogate}/u.test(value)
      ? [{ field, code: 'INVALID_UNICODE', message: 'Must be well-formed Unicode text.' }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => findMalformedText(root, member, [...steps, key]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
