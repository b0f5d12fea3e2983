import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyPluginAsync, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { Type } from 'typebox';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import {
  type SchemaValidationError,
  takeSchemaValidationErrors,
  toFieldErrors,
} from '../../shared/field-errors.ts';
import { FORMATS } from '../../shared/formats.ts';
import { memoizeFactory } from '../../shared/memoize.ts';
import {
  addIgnoredNames,
  type KnownFields,
  listProperties,
  removeUnknownFields,
  toKnownFields,
  toReadOnlyFields,
} from './unknown-fields.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where another party defines what is sent: unknown fields and parameters are no errors. */
    ignoresUnknownFields?: boolean;
  }
}

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
const NO_PARAMETERS = Type.Object({});

const DECIMAL_PATTERN = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Register Ajv: all but bodies are coerced; a wrong path is 404. An unknown field or parameter is an error in the API,
 * since it may be a misspelled protection or filter, and dropped from forms and addresses of pages.
 * Reports all errors, which is safe behind the limits of json-body.ts.
 */
const plugin: FastifyPluginAsync = async (app) => {
  const compilers = new Map<boolean, CompileSchema>();
  const routes = new Map<string, RouteOptions>();
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.set(`${method} ${route.url}`, route);
    if (isChecked(route) && route.schema) route.schema.querystring ??= NO_PARAMETERS;
  });

  app.setValidatorCompiler<ObjectSchema>(({ schema, httpPart = 'body', method, url }) => {
    const coerces = httpPart !== 'body';
    const compile = compilers.get(coerces) ?? getSharedCompiler(coerces, Object.values(app.getSchemas()));
    compilers.set(coerces, compile);
    const known = getKnownProperties(schema);
    const route = routes.get(`${method} ${url}`);
    const fields =
      route && known && isChecked(route)
        ? toKnownFields(route, httpPart, known, (id) => app.getSchema(id))
        : null;
    const validator = memoizeFactory(() => compile(fields ? closeNestedObjects(schema) : schema));
    const removesUnknown = fields === null && (httpPart === 'body' || httpPart === 'querystring');

    return (input: unknown) => {
      const value = input ?? (schema.type === 'object' ? {} : input);
      if (httpPart === 'querystring' && known !== undefined) correctParameterCase(value, known);
      const violations = fields ? removeUnknownFields(value, fields) : [];
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

  app.addHook('onSend', (request, reply, payload, done) => {
    const isObject = typeof payload === 'string' && payload.startsWith('{') && reply.statusCode < 300;
    done(null, isObject ? addIgnoredNames(payload, [request.body, request.query]) : payload);
  });
};

export const schemaValidationPlugin = fp(plugin, { name: 'validation' });

/** Whether a response of the route can have the warning that a name was ignored. */
export function canIgnoreNames(route: RouteOptions, findSchema: (id: string) => unknown): boolean {
  if (!isChecked(route)) return false;
  return (['body', 'querystring'] as const).some((part) => {
    const known = getKnownProperties(Object(route.schema?.[part]));
    const fields = known && toKnownFields(route, part, known, findSchema);
    return fields ? fields.isLenient || fields.readOnly.size > 0 : false;
  });
}

/** Create the validator of objects that come outside of a request, by the rules of bodies. `record` can be sent back. */
export function createBodyValidator(schema: object, record?: object): (body: object) => FieldError[] {
  const getValidator = memoizeFactory(() => getSharedCompiler(false, [])(closeNestedObjects(schema)));
  const known = getKnownProperties(schema) ?? new Set();
  const readOnlyFields = toReadOnlyFields(
    listProperties(record ?? {}, () => undefined),
    known,
  );
  const fields: KnownFields = { noun: 'field', known, files: [], ...readOnlyFields, isLenient: false };
  return (body) => {
    const errors = removeUnknownFields(body, fields);
    const validate = getValidator();
    if (!validate(body)) errors.push(...toPartErrors(takeSchemaValidationErrors(validate), 'body'));
    return errors;
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

/** Refuse unknown fields of objects within a body, as of the body itself. */
function closeNestedObjects<Schema>(schema: Schema, isNested = false): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((one) => closeNestedObjects(one, true)) as Schema;
  const { properties, items, anyOf, oneOf, additionalProperties, patternProperties, allOf } =
    schema as ObjectSchema & Record<string, unknown>;
  const isOpen = additionalProperties === undefined && patternProperties === undefined && allOf === undefined;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, closeNestedObjects(one, true)]),
      ),
      ...(isNested && isOpen && { additionalProperties: false }),
    }),
    ...(items !== undefined && { items: closeNestedObjects(items, true) }),
    ...(anyOf !== undefined && { anyOf: closeNestedObjects(anyOf, true) }),
    ...(oneOf !== undefined && { oneOf: closeNestedObjects(oneOf, true) }),
  };
}

function isChecked({ url, schema, config }: RouteOptions): boolean {
  return url.startsWith('/api/') && schema?.hide !== true && config?.ignoresUnknownFields !== true;
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
