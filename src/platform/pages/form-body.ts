import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { sanitizeFieldName } from '../../shared/field-errors.ts';
import { findTextInputError, isPrototypePath } from '../http/unsafe-text.ts';

/** Parse forms of a scope strictly (URL standard, section 5.1): MALFORMED_BODY, VALIDATION_FAILED. */
export function acceptUrlEncodedForms(app: FastifyInstance, maxBytes = 4_096, maxFields = 20): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    async (_request: FastifyRequest, body: Buffer) => parseUrlEncodedForm(body, maxFields),
  );
}

/**
 * Read a form that a hook refused before its body was read; null for another body, and for one that is invalid or too large.
 * The time for bodies is limited by body-timeout.ts.
 */
export async function readRefusedForm(
  { headers, raw }: FastifyRequest,
  maxBytes: number,
  maxFields: number,
): Promise<Record<string, string> | null> {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return null;
  // What is larger is drained like other refused bodies. Leaving the loop early would stop that.
  if (!(Number(headers['content-length']) <= maxBytes)) return null;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of raw) chunks.push(chunk);
    return parseUrlEncodedForm(Buffer.concat(chunks), maxFields);
  } catch {
    return null;
  }
}

function parseUrlEncodedForm(bytes: Buffer, maxFields: number): Record<string, string> {
  const source = bytes.toString('latin1');
  if (/[^!-~]/.test(source)) throw createMalformedBodyError('The form is not percent-encoded.');
  const pairs = source.split('&').filter((pair) => pair !== '');
  if (pairs.length > maxFields) throw createMalformedBodyError(`The form has more than ${maxFields} fields.`);
  const fields = new Map<string, string>();
  const fieldErrors: FieldError[] = [];
  for (const pair of pairs) {
    const equals = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const name = decodeFormValue(pair.slice(0, equals));
    const value = decodeFormValue(pair.slice(equals + 1)).replaceAll('\r\n', '\n');
    if (name === '' || isPrototypePath(name) || findTextInputError(name, 100))
      throw createMalformedBodyError('A field name is not allowed.');
    const field = sanitizeFieldName(name);
    const fieldError = findTextInputError(value);
    if (fields.has(name)) fieldErrors.push({ field, code: 'REPEATED', message: 'Must not be repeated.' });
    if (fieldError) fieldErrors.push({ field, ...fieldError });
    fields.set(name, value);
  }
  if (fieldErrors.length > 0) throw createValidationError(...fieldErrors);
  return Object.fromEntries(fields);
}

function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw createMalformedBodyError('The form is not percent-encoded UTF-8.');
  }
}

function createMalformedBodyError(detail: string): ServiceError {
  return new ServiceError('MALFORMED_BODY', { detail });
}
