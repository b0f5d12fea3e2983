import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import {
  type SchemaValidationError,
  sanitizeFieldName,
  takeSchemaValidationErrors,
  toFieldErrors,
} from '../../shared/field-errors.ts';
import { FORMATS } from '../../shared/formats.ts';
import { memoizeFactory } from '../../shared/memoize.ts';

interface ObjectSchema {
  $id?: string;
  type?: unknown;
  properties?: Record<string, { type?: unknown }>;
  patternProperties?: unknown;
  additionalProperties?: unknown;
  allOf?: ObjectSchema[];
}

/** At most 15 digits, exact in a double: excludes `9007199254740993`, `1e999` and `NaN`. */
const INTEGER_PATTERN = /^-?\d{1,15}$/;
const MAX_UNKNOWN_PARAMETERS = 50;

const DECIMAL_PATTERN = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Register Ajv: all but bodies are coerced, unknown top-level keys of a body dropped; a wrong path is 404. An unknown
 * parameter is an error in the API, since it may be a misspelt filter, and dropped from addresses of pages.
 * Reports all errors, which is safe behind the limits of json-body.ts.
 */
const plugin: FastifyPluginAsync = async (app) => {
  const compilers = new Map<boolean, CompileSchema>();

  app.setValidatorCompiler<ObjectSchema>(({ schema, httpPart = 'body', url }) => {
    const coerces = httpPart !== 'body';
    const compile = compilers.get(coerces) ?? getSharedCompiler(coerces, Object.values(app.getSchemas()));
    compilers.set(coerces, compile);
    const validator = memoizeFactory(() => compile(schema));
    const known = getKnownProperties(schema);
    const rejectsUnknown = httpPart === 'querystring' && url.startsWith('/api/');
    const removesUnknown = httpPart === 'body' || httpPart === 'querystring';

    return (input: unknown) => {
      const value = input ?? (schema.type === 'object' ? {} : input);
      if (httpPart === 'querystring' && known !== undefined) correctParameterCase(value, known);
      const violations = rejectsUnknown ? findUnknownParameters(value, known) : [];
      if (removesUnknown && known !== undefined) removeUnknownProperties(value, known);
      if (coerces) violations.push(...findNumberErrors(value, schema));
      const validate = validator();
      if (!validate(value))
        violations.push(
          ...excludeReportedFields(toPartErrors(takeSchemaValidationErrors(validate), httpPart), violations),
        );
      if (violations.length === 0) return { value };
      return {
        error: httpPart === 'params' ? new ServiceError('NOT_FOUND') : createValidationError(...violations),
      };
    };
  });
};

export const schemaValidationPlugin = fp(plugin, { name: 'validation' });

/** Create the validator of objects that come outside of a request, by the rules of bodies. */
export function createBodyValidator(schema: object): (body: object) => FieldError[] {
  const getValidator = memoizeFactory(() => getSharedCompiler(false, [])(schema));
  const known = getKnownProperties(schema);
  return (body) => {
    if (known !== undefined) removeUnknownProperties(body, known);
    const validate = getValidator();
    return validate(body) ? [] : toPartErrors(takeSchemaValidationErrors(validate), 'body');
  };
}

type CompileSchema = (schema: ObjectSchema) => ValidateFunction;

// By referenced schemas: the applications of one process share them, and compiling dominates the start.
const compilersByKey = new Map<string, CompileSchema>();

function getSharedCompiler(coerces: boolean, shared: unknown[]): CompileSchema {
  const key = JSON.stringify([coerces, shared]);
  const known = compilersByKey.get(key);
  if (known) return known;
  const ajv = createAjv(coerces, shared);
  const validators = new Map<string, ValidateFunction>();
  const compile: CompileSchema = (schema) => {
    const text = JSON.stringify(schema);
    const validate = validators.get(text) ?? compileOnce(ajv, schema);
    validators.set(text, validate);
    return validate;
  };
  compilersByKey.set(key, compile);
  return compile;
}

function createAjv(coerceTypes: boolean, shared: unknown[]): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors: true,
    verbose: true,
    // Schemas also have keywords of OpenAPI (example, discriminator) that Ajv does not know.
    strict: false,
    // Too slow at a start; the linter of the OpenAPI document checks them in tests.
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
  });
  formats.default(ajv);
  for (const [name, { isValid }] of Object.entries(FORMATS)) ajv.addFormat(name, isValid);
  for (const schema of shared) if (typeof schema === 'object' && schema !== null) ajv.addSchema(schema);
  return ajv;
}

function compileOnce(ajv: Ajv, schema: ObjectSchema): ValidateFunction {
  // Several routes can use one named schema; Ajv refuses to compile it twice.
  const known = schema.$id === undefined ? undefined : ajv.getSchema(schema.$id);
  return known ?? ajv.compile(schema);
}

function getKnownProperties(schema: ObjectSchema): Set<string> | undefined {
  if (schema.type !== 'object' || schema.properties === undefined) return undefined;
  if (schema.patternProperties !== undefined || schema.allOf !== undefined) return undefined;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return undefined;
  return new Set(Object.keys(schema.properties));
}

/** A filter with another spelling, such as `qrcodeId`, must not be dropped: the answer would show everything. */
function correctParameterCase(value: unknown, known: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue;
    const name = [...known].find((one) => one.toLowerCase() === key.toLowerCase());
    if (name === undefined || Object.hasOwn(value, name)) continue;
    Reflect.set(value, name, Reflect.get(value, key));
    Reflect.deleteProperty(value, key);
  }
}

function findUnknownParameters(value: unknown, known: Set<string> | undefined): FieldError[] {
  if (known === undefined || typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .slice(0, MAX_UNKNOWN_PARAMETERS)
    .map((name) => ({
      field: sanitizeFieldName(name),
      code: 'UNKNOWN_FIELD',
      message: 'Is not a parameter of this operation.',
    }));
}

/** An invalid value of a repeated parameter names the parameter. */
function toPartErrors(schemaErrors: readonly SchemaValidationError[], httpPart: string): FieldError[] {
  const errors = toFieldErrors(schemaErrors, httpPart);
  if (httpPart !== 'querystring') return errors;
  const byField = new Map(
    errors.map((error) => [error.field.replace(/\[\d+\]$/, ''), error] as const).toReversed(),
  );
  return [...byField].map(([field, error]) => ({ ...error, field })).toReversed();
}

function removeUnknownProperties(value: unknown, known: Set<string>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const key of Object.keys(value)) if (!known.has(key)) Reflect.deleteProperty(value, key);
}

function findNumberErrors(value: unknown, schema: ObjectSchema): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  const violations: FieldError[] = [];
  for (const part of [schema, ...(schema.allOf ?? [])]) {
    for (const [field, { type }] of Object.entries(part.properties ?? {})) {
      const text: unknown = Reflect.get(value, field);
      if (typeof text !== 'string') continue;
      const types = Array.isArray(type) ? type : [type];
      if (types.includes('integer') && !INTEGER_PATTERN.test(text)) {
        violations.push({ field, code: 'WRONG_TYPE', message: 'Must be a whole number.' });
      } else if (types.includes('number') && !DECIMAL_PATTERN.test(text)) {
        violations.push({ field, code: 'WRONG_TYPE', message: 'Must be a decimal number.' });
      }
    }
  }
  return violations;
}

function excludeReportedFields(errors: FieldError[], reported: FieldError[]): FieldError[] {
  return errors.filter((error) => !reported.some((other) => other.field === error.field));
}
