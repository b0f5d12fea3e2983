import type { RouteOptions } from 'fastify';
import type { IgnoredNameWarning } from '../../shared/common.schemas.ts';
import type { FieldError } from '../../shared/errors.ts';
import { sanitizeFieldName } from '../../shared/field-errors.ts';
import { findNearestName } from '../../shared/nearest-name.ts';

/** What a body or a query may have. */
export interface KnownFields {
  noun: 'field' | 'parameter';
  known: ReadonlySet<string>;
  /** Names of parts of a form that have a file. */
  files: readonly string[];
  /** Fields of the returned record that cannot be set: a client may send back what it has read. */
  readOnly: ReadonlySet<string>;
  /** Read-only fields that every record has. A body with all of them is a record, perhaps of a later version. */
  requiredReadOnly: readonly string[];
  /** Ignore names that resemble no known one, and list them in `warnings`. */
  isLenient: boolean;
}

interface RecordSchema {
  $ref?: string;
  properties?: Record<string, unknown>;
  required?: readonly string[];
  allOf?: RecordSchema[];
  anyOf?: RecordSchema[];
  oneOf?: RecordSchema[];
}

interface RecordProperties {
  names: Set<string>;
  required: Set<string>;
}

const MAX_UNKNOWN_FIELDS = 50;
const NO_NAMES: ReadonlySet<string> = new Set();

/** By the body or the query that had them. */
const ignoredNames = new WeakMap<object, readonly string[]>();

/** Remove unknown fields from a body or a query and return their errors. Ignored names are kept for `addIgnoredNames`. */
export function removeUnknownFields(body: unknown, fields: KnownFields): FieldError[] {
  const errors: FieldError[] = [];
  const ignored: string[] = [];
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return errors;
  const isRecord =
    fields.requiredReadOnly.length > 0 && fields.requiredReadOnly.every((name) => Object.hasOwn(body, name));
  for (const name of Object.keys(body)) {
    if (fields.known.has(name)) continue;
    Reflect.deleteProperty(body, name);
    if (fields.files.includes(name)) continue;
    if (fields.readOnly.has(name)) {
      // Without the whole record, the client may have meant to change this field.
      if (!isRecord) ignored.push(name);
      continue;
    }
    const names = [...fields.known, ...fields.files].filter((one) => !isRecord || !Object.hasOwn(body, one));
    const nearest = findNearestName(name, names);
    if (nearest === null && (fields.isLenient || isRecord)) ignored.push(name);
    else errors.push(createUnknownFieldError(name, nearest, fields.noun));
    if (errors.length + ignored.length > MAX_UNKNOWN_FIELDS) return [...errors, createTooManyError(fields)];
  }
  if (ignored.length > 0) ignoredNames.set(body, ignored);
  return errors;
}

function createTooManyError({ noun }: KnownFields): FieldError {
  return {
    field: noun === 'field' ? 'body' : 'querystring',
    code: 'TOO_MANY',
    message: `Has more than ${MAX_UNKNOWN_FIELDS} unknown ${noun}s.`,
  };
}

function createUnknownFieldError(name: string, nearest: string | null, noun: string): FieldError {
  return {
    field: sanitizeFieldName(name),
    code: 'UNKNOWN_FIELD',
    message: `Is not a ${noun} of this operation.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
  };
}

/** Operations of the original interface specification, which lists no fields; existing clients may send others. */
const INTERFACE_OPERATIONS: ReadonlySet<string> = new Set([
  'POST /api/auth/register',
  'POST /api/auth/verify-otp',
  'POST /api/auth/create-profile',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/forgot-password',
  'POST /api/auth/reset-password',
  'GET /api/auth/profile/:id',
  'GET /api/auth/google',
  'POST /api/qrcodes',
  'GET /api/qrcodes/:id',
  'PUT /api/qrcodes/:id',
  'DELETE /api/qrcodes/:id',
  'POST /api/scans/public',
  'GET /api/scans/public/:id',
  'POST /api/scans',
  'POST /api/scans/geocoded',
  'GET /api/scans/:id',
  'POST /api/subscription/checkout-session',
  'GET /api/subscription/status',
  'DELETE /api/subscription/cancel/:subscriptionId',
  'GET /api/dashboard/cards',
  'GET /api/admin/analytics',
]);

type FindSchema = (id: string) => unknown;

export function toKnownFields(
  route: RouteOptions,
  httpPart: string,
  known: ReadonlySet<string>,
  findSchema: FindSchema,
): KnownFields | null {
  const method = route.method === 'HEAD' ? 'GET' : route.method;
  const isListed = INTERFACE_OPERATIONS.has(`${method} ${route.url}`);
  const none = { readOnly: NO_NAMES, requiredReadOnly: [], files: [] };
  // A misspelled filter would show everything.
  if (httpPart === 'querystring')
    return { noun: 'parameter', known, ...none, isLenient: isListed && known.size === 0 };
  if (httpPart !== 'body') return null;
  const responses: Record<string, RecordSchema> = Object(route.schema?.response);
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {};
  const record = listProperties(success, findSchema);
  const isRecord = isListed || route.method !== 'POST' || [...known].every((name) => record.names.has(name));
  const readOnly = new Set([...record.names].filter((name) => !known.has(name)));
  const requiredReadOnly = [...record.required].filter((name) => readOnly.has(name));
  const form = route.config?.form;
  const files = form ? [...Object.keys(form.files), ...(form.streamed ? [form.streamed.name] : [])] : [];
  return {
    noun: 'field',
    known,
    ...(isRecord ? { readOnly, requiredReadOnly } : none),
    files,
    isLenient: isListed,
  };
}

export function toReadOnlyFields({ names, required }: RecordProperties, known: ReadonlySet<string>) {
  const isReadOnly = (name: string) => !known.has(name);
  return {
    readOnly: new Set([...names].filter(isReadOnly)),
    requiredReadOnly: [...required].filter(isReadOnly),
  };
}

/** List the properties of a schema with all of its parts, and those that any part requires. */
export function listProperties(schema: RecordSchema, findSchema: FindSchema): RecordProperties {
  const found = schema.$ref === undefined ? schema : Object(findSchema(schema.$ref.replace(/#$/, '')));
  const { properties = {}, required = [], allOf = [], anyOf = [], oneOf = [] }: RecordSchema = found;
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => listProperties(part, findSchema));
  return {
    names: new Set([...Object.keys(properties), ...parts.flatMap(({ names }) => [...names])]),
    required: new Set([...required, ...parts.flatMap(({ required }) => [...required])]),
  };
}

/** Add to a response the names that were ignored in these parts of the request. */
export function addIgnoredNames(payload: string, parts: readonly unknown[]): string {
  const added = parts.flatMap((part) => listIgnoredNameWarnings(Object(part)));
  if (added.length === 0) return payload;
  const response: { warnings?: string[] } = JSON.parse(payload);
  return JSON.stringify({ ...response, warnings: [...(response.warnings ?? []), ...added] });
}

/** List the warnings of a body, a query, or an item of a bulk request. */
export function listIgnoredNameWarnings(part: object): IgnoredNameWarning[] {
  return (ignoredNames.get(part) ?? []).map((name) => `UNKNOWN_FIELD: ${sanitizeFieldName(name)}` as const);
}
