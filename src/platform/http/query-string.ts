import type { FastifyRequest } from 'fastify';
import { createValidationError, type FieldError } from '../../shared/errors.ts';
import { sanitizeFieldName } from '../../shared/field-errors.ts';
import type { RequestStep } from './request-steps.ts';
import { findTextInputError, isPrototypePath } from './unsafe-text.ts';

/** Clients send these for "not set". */
const EMPTY_VALUES = new Set(['', 'undefined', 'null']);

const NO_NAMES: ReadonlySet<string> = new Set();

const ENCODED_CONTROL_PATTERN = /%[01][0-9a-f]/i;

/**
 * Parse a query string; values that mean "not set" are dropped, and those of `repeatable` names become arrays.
 * @throws VALIDATION_FAILED for invalid escapes or UTF-8, control characters, brackets, repeated and prototype names
 */
export function parseQueryString(
  query: string,
  repeatable: ReadonlySet<string> = NO_NAMES,
): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  const fieldErrors: FieldError[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const name = correctCase(decodeQueryComponent(rawName), repeatable);
    const value = equals === -1 ? '' : decodeQueryComponent(pair.slice(equals + 1));
    const field = sanitizeFieldName(name ?? rawName);
    const fieldError =
      name === undefined || value === undefined
        ? BAD_ENCODING_ERROR
        : (findNameError(name, values.has(name) && !repeatable.has(name)) ?? findTextInputError(value));
    if (fieldError !== undefined) fieldErrors.push({ field, ...fieldError });
    if (name === undefined || value === undefined) continue;
    const previous = values.get(name);
    if (previous) previous.push(value);
    else values.set(name, [value]);
  }
  if (fieldErrors.length > 0) throw createValidationError(...fieldErrors.slice(0, 100));
  const parsed: Record<string, string | string[]> = {};
  for (const [name, texts] of values) {
    const [value, ...others] = texts.filter((text) => !EMPTY_VALUES.has(text));
    if (value !== undefined) parsed[name] = repeatable.has(name) ? [value, ...others] : value;
  }
  return parsed;
}

export const parseRequestTarget: RequestStep = (request) => {
  if (request.is404) return;
  const [, path = '', query = ''] = /^([^?#]*)[?#]?([\s\S]*)$/.exec(request.raw.url ?? '') ?? [];
  if (ENCODED_CONTROL_PATTERN.test(path) && request.routeOptions.config.rateLimitClass !== 'static') {
    throw createValidationError({ field: 'path', ...CONTROL_CHARACTER_ERROR });
  }
  if (query !== '') request.query = parseQueryString(query, getRepeatableNames(request));
};

// Others are corrected by their schemas; a filter with another spelling must not be dropped.
function correctCase(name: string | undefined, repeatable: ReadonlySet<string>): string | undefined {
  if (name === undefined || repeatable.has(name)) return name;
  return [...repeatable].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

const namesBySchema = new WeakMap<object, ReadonlySet<string>>();

function getRepeatableNames({ routeOptions }: FastifyRequest): ReadonlySet<string> {
  const schema: unknown = routeOptions.schema?.querystring;
  if (typeof schema !== 'object' || schema === null) return NO_NAMES;
  const known = namesBySchema.get(schema);
  if (known) return known;
  const properties = Object.entries<{ type?: unknown }>(Object(Reflect.get(schema, 'properties')));
  const names = new Set(properties.flatMap(([name, { type }]) => (type === 'array' ? [name] : [])));
  namesBySchema.set(schema, names);
  return names;
}

const BAD_ENCODING_ERROR = { code: 'BAD_ENCODING', message: 'Must be percent-encoded UTF-8.' };
const CONTROL_CHARACTER_ERROR = {
  code: 'CONTROL_CHARACTER',
  message: 'Must not contain control characters.',
};

function findNameError(name: string, isRepeated: boolean): Omit<FieldError, 'field'> | undefined {
  if (isRepeated) return { code: 'REPEATED', message: 'Must not be repeated.' };
  if (isPrototypePath(name)) return { code: 'UNKNOWN_FIELD', message: 'Is not allowed.' };
  if (/[[\]]/.test(name)) return { code: 'UNKNOWN_FIELD', message: 'Must not contain brackets.' };
  return findTextInputError(name);
}

function decodeQueryComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
