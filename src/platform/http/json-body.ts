import { isUtf8 } from 'node:buffer';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { parse } from 'secure-json-parse';
import { type FieldError, invalidFields, ServiceError } from '../../shared/errors.ts';
import { shownName } from '../../shared/field-errors.ts';
import { textFault } from './unsafe-text.ts';

const MAX_DEPTH = 32;
const MAX_NODES = 10_000;

/**
 * `application/json` in lower case and its parameters. Fastify also takes other spellings, and three advisories
 * (CVE-2025-32442, CVE-2026-25223, CVE-2026-33806) were ways around validation by means of one.
 */
const JSON_TYPE = /^application\/json(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[ !#-~]*"))* *$/;
const CHARSET = /; *charset="?([^";\s]*)/i;

/**
 * Reads a JSON body: valid UTF-8, at most 32 levels and 10,000 values, texts of at most 64 KiB without control
 * characters or lone surrogates, keys alike, no keys that reach into prototypes.
 * Throws MALFORMED_BODY where it cannot be read, VALIDATION_FAILED naming the field otherwise.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  checkSize(bytes);
  let value: unknown;
  try {
    value = parse(bytes.toString('utf8'));
  } catch {
    throw malformed('The body is not valid JSON, or has a key that is refused everywhere.');
  }
  checkValues(value);
  return value;
}

/** The only parser of JSON bodies; text/plain is not parsed at all. */
const plugin: FastifyPluginAsync = async (app) => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      checkType(request.headers['content-type'] ?? '');
      // Clients send the type with an empty body too, most of all with DELETE.
      return body.length === 0 ? undefined : parseJsonBody(body);
    },
  );
};

export const jsonBody = fp(plugin, { name: 'json-body' });

function checkType(contentType: string): void {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  if (JSON_TYPE.test(contentType) && ['utf-8', 'utf8', 'us-ascii'].includes(charset)) return;
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send application/json in UTF-8.' });
}

/** Depth and, roughly, the number of values before anything is built: what follows is then cheap. */
function checkSize(bytes: Buffer): void {
  let depth = 0;
  let marks = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inText) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) inText = false;
      continue;
    }
    switch (byte) {
      case 0x22:
        inText = true;
        break;
      case 0x5b:
      case 0x7b:
        marks++;
        if (++depth > MAX_DEPTH) throw tooBig('TOO_DEEP', `Must be at most ${MAX_DEPTH} levels deep.`);
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case 0x2c:
        marks++;
        break;
    }
    if (marks > 2 * MAX_NODES) throw tooManyNodes();
  }
}

interface Open {
  value: object;
  path: string;
}

function checkValues(root: unknown): void {
  const faults: FieldError[] = [];
  const open: Open[] = [];
  let nodes = 0;
  visit(root, '');
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) visit(value[index], `${path}[${index}]`);
      continue;
    }
    for (const [key, inner] of Object.entries(value)) {
      const name = path === '' ? shownName(key) : `${path}.${shownName(key)}`;
      fault(key, name);
      visit(inner, name);
    }
  }
  if (faults.length > 0) throw invalidFields(...faults.slice(0, 100));

  function visit(value: unknown, path: string): void {
    if (++nodes > MAX_NODES) throw tooManyNodes();
    if (typeof value === 'string') fault(value, path || 'body');
    else if (typeof value === 'object' && value !== null) open.push({ value, path });
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      faults.push({ field: path || 'body', code: 'TOO_LARGE', message: 'Must be a finite number.' });
    }
  }

  function fault(text: string, field: string): void {
    const found = textFault(text);
    if (found !== undefined) faults.push({ field, ...found });
  }
}

function malformed(detail: string): ServiceError {
  return new ServiceError('MALFORMED_BODY', { detail });
}

function tooBig(code: string, message: string): ServiceError {
  return invalidFields({ field: 'body', code, message });
}

function tooManyNodes(): ServiceError {
  return tooBig('TOO_MANY', `Must hold at most ${MAX_NODES} values.`);
}
