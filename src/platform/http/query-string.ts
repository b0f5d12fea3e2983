import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type FieldError, invalidFields } from '../../shared/errors.ts';
import { shownName } from '../../shared/field-errors.ts';
import { isPrototypeName, textFault } from './unsafe-text.ts';

/** What clients send when they mean "not given": a filter that is `undefined` is no filter. */
const NOT_GIVEN = new Set(['', 'undefined', 'null']);

const ENCODED_CONTROL = /%[01][0-9a-f]/i;

/**
 * A query string as names and values, each name once. Values that mean "not given" are left out.
 * Throws VALIDATION_FAILED for a bad %-escape, invalid UTF-8, control characters, brackets, a repeated name,
 * and names that reach into prototypes.
 */
export function readQuery(query: string): Record<string, string> {
  const values = new Map<string, string>();
  const faults: FieldError[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const field = shownName(name ?? rawName);
    const fault =
      name === undefined || value === undefined ? BAD_ESCAPE : (nameFault(name, values) ?? textFault(value));
    if (fault !== undefined) faults.push({ field, ...fault });
    if (name !== undefined && value !== undefined) values.set(name, value);
  }
  if (faults.length > 0) throw invalidFields(...faults.slice(0, 100));
  return Object.fromEntries([...values].filter(([, value]) => !NOT_GIVEN.has(value)));
}

/** Reads the query of every known route by `readQuery`, and refuses control characters in its path. */
const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      if (!request.is404) readTarget(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
};

function readTarget(request: FastifyRequest): void {
  const [, path = '', query = ''] = /^([^?#]*)[?#]?([\s\S]*)$/.exec(request.raw.url ?? '') ?? [];
  if (ENCODED_CONTROL.test(path) && request.routeOptions.config.rateLimitClass !== 'static') {
    throw invalidFields({ field: 'path', ...CONTROL });
  }
  if (query !== '') request.query = readQuery(query);
}

export const queryText = fp(plugin, { name: 'query-text' });

const BAD_ESCAPE = { code: 'BAD_ENCODING', message: 'Must be percent-encoded UTF-8.' };
const CONTROL = { code: 'CONTROL_CHARACTER', message: 'Must not contain control characters.' };

function nameFault(name: string, before: Map<string, string>): Omit<FieldError, 'field'> | undefined {
  if (before.has(name)) return { code: 'REPEATED', message: 'May be given once.' };
  if (isPrototypeName(name)) return { code: 'UNKNOWN_FIELD', message: 'Is refused everywhere.' };
  if (/[[\]]/.test(name)) return { code: 'UNKNOWN_FIELD', message: 'Brackets are not supported.' };
  return textFault(name);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
