import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { createValidationError, type FieldError } from '../../shared/errors.ts';
import { sanitizeFieldName } from '../../shared/field-errors.ts';
import { findTextInputError, isPrototypePath } from './unsafe-text.ts';

/** Clients send these for "not set". */
const EMPTY_VALUES = new Set(['', 'undefined', 'null']);

const ENCODED_CONTROL_PATTERN = /%[01][0-9a-f]/i;

/**
 * Parse a query string; values that mean "not set" are dropped.
 * @throws VALIDATION_FAILED for invalid escapes or UTF-8, control characters, brackets, repeated and prototype names
 */
export function parseQueryString(query: string): Record<string, string> {
  const values = new Map<string, string>();
  const fieldErrors: FieldError[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const name = decodeQueryComponent(rawName);
    const value = equals === -1 ? '' : decodeQueryComponent(pair.slice(equals + 1));
    const field = sanitizeFieldName(name ?? rawName);
    const fieldError =
      name === undefined || value === undefined
        ? BAD_ENCODING_ERROR
        : (findNameError(name, values) ?? findTextInputError(value));
    if (fieldError !== undefined) fieldErrors.push({ field, ...fieldError });
    if (name !== undefined && value !== undefined) values.set(name, value);
  }
  if (fieldErrors.length > 0) throw createValidationError(...fieldErrors.slice(0, 100));
  return Object.fromEntries([...values].filter(([, value]) => !EMPTY_VALUES.has(value)));
}

const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      if (!request.is404) parseRequestTarget(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
};

function parseRequestTarget(request: FastifyRequest): void {
  const [, path = '', query = ''] = /^([^?#]*)[?#]?([\s\S]*)$/.exec(request.raw.url ?? '') ?? [];
  if (ENCODED_CONTROL_PATTERN.test(path) && request.routeOptions.config.rateLimitClass !== 'static') {
    throw createValidationError({ field: 'path', ...CONTROL_CHARACTER_ERROR });
  }
  if (query !== '') request.query = parseQueryString(query);
}

export const queryStringPlugin = fp(plugin, { name: 'query-text' });

const BAD_ENCODING_ERROR = { code: 'BAD_ENCODING', message: 'Must be percent-encoded UTF-8.' };
const CONTROL_CHARACTER_ERROR = {
  code: 'CONTROL_CHARACTER',
  message: 'Must not contain control characters.',
};

function findNameError(name: string, previous: Map<string, string>): Omit<FieldError, 'field'> | undefined {
  if (previous.has(name)) return { code: 'REPEATED', message: 'Must not be repeated.' };
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
