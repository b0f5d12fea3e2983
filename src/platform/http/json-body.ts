import { isUtf8 } from 'node:buffer';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { parse } from 'secure-json-parse';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { sanitizeFieldName } from '../../shared/field-errors.ts';
import { findTextInputError } from './unsafe-text.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Values in a JSON body of this route; 10,000 by default. */
    maxJsonValues?: number;
  }
}

const MAX_JSON_DEPTH = 32;
const MAX_JSON_VALUES = 10_000;

/** Lower case only: other spellings bypassed validation (CVE-2025-32442, CVE-2026-25223, CVE-2026-33806). */
const JSON_CONTENT_TYPE_PATTERN =
  /^application\/(?:json|merge-patch\+json)(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[ !#-~]*"))* *$/;
const CHARSET_PATTERN = /; *charset="?([^";\s]*)/i;

export const MERGE_PATCH_CONTENT_TYPE = 'application/merge-patch+json';

/** Whether the body is a merge patch (RFC 7396), which also merges objects within it. */
export function isMergePatch({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith(MERGE_PATCH_CONTENT_TYPE) ?? false;
}

/** Parse a JSON body within the limits of depth, size and text. @throws MALFORMED_BODY, VALIDATION_FAILED */
export function parseJsonBody(bytes: Buffer, maxValues = MAX_JSON_VALUES): unknown {
  if (!isUtf8(bytes)) throw createMalformedBodyError('The body is not valid UTF-8.');
  assertJsonSize(bytes, maxValues);
  let value: unknown;
  try {
    value = parse(bytes.toString('utf8'));
  } catch {
    throw createMalformedBodyError('The body is not valid JSON, or has a forbidden key.');
  }
  assertJsonValues(value, maxValues);
  return value;
}

const plugin: FastifyPluginAsync = async (app) => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    ['application/json', MERGE_PATCH_CONTENT_TYPE],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      assertJsonContentType(request.headers['content-type'] ?? '');
      if (isMergePatch(request) && request.method !== 'PATCH')
        throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { detail: 'A merge patch needs the method PATCH.' });
      // Clients also send the type with an empty body, mostly with DELETE.
      return body.length === 0 ? undefined : parseJsonBody(body, request.routeOptions.config.maxJsonValues);
    },
  );
};

export const jsonBodyPlugin = fp(plugin, { name: 'json-body' });

function assertJsonContentType(contentType: string): void {
  const charset = CHARSET_PATTERN.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  if (JSON_CONTENT_TYPE_PATTERN.test(contentType) && ['utf-8', 'utf8', 'us-ascii'].includes(charset)) return;
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send application/json in UTF-8.' });
}

function assertJsonSize(bytes: Buffer, maxValues: number): void {
  let depth = 0;
  let structuralCharacters = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) inString = false;
      continue;
    }
    switch (byte) {
      case 0x22:
        inString = true;
        break;
      case 0x5b:
      case 0x7b:
        structuralCharacters++;
        if (++depth > MAX_JSON_DEPTH)
          throw createBodyLimitError('TOO_DEEP', `Must be at most ${MAX_JSON_DEPTH} levels deep.`);
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case 0x2c:
        structuralCharacters++;
        break;
    }
    if (structuralCharacters > 2 * maxValues) throw createTooManyValuesError(maxValues);
  }
}

interface PendingValue {
  value: object;
  path: string;
}

function assertJsonValues(root: unknown, maxValues: number): void {
  const errors: FieldError[] = [];
  const pending: PendingValue[] = [];
  let valueCount = 0;
  visit(root, '');
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) visit(value[index], `${path}[${index}]`);
      continue;
    }
    for (const [key, inner] of Object.entries(value)) {
      const name = path === '' ? sanitizeFieldName(key) : `${path}.${sanitizeFieldName(key)}`;
      fault(key, name);
      visit(inner, name);
    }
  }
  if (errors.length > 0) throw createValidationError(...errors.slice(0, 100));

  function visit(value: unknown, path: string): void {
    if (++valueCount > maxValues) throw createTooManyValuesError(maxValues);
    if (typeof value === 'string') fault(value, path || 'body');
    else if (typeof value === 'object' && value !== null) pending.push({ value, path });
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      errors.push({ field: path || 'body', code: 'TOO_LARGE', message: 'Must be a finite number.' });
    }
  }

  function fault(text: string, field: string): void {
    const textError = findTextInputError(text);
    if (textError !== undefined) errors.push({ field, ...textError });
  }
}

function createMalformedBodyError(detail: string): ServiceError {
  return new ServiceError('MALFORMED_BODY', { detail });
}

function createBodyLimitError(code: string, message: string): ServiceError {
  return createValidationError({ field: 'body', code, message });
}

function createTooManyValuesError(maxValues: number): ServiceError {
  return createBodyLimitError('TOO_MANY', `Must have at most ${maxValues} values.`);
}
