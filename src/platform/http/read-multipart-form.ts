import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createChunkScheduler } from '../../shared/chunk-scheduler.ts';
import { coalesceChunks } from '../../shared/coalesce-chunks.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { sanitizeFieldName } from '../../shared/field-errors.ts';
import { reserveFormMemory } from './form-memory.ts';
import { iterateFormParts } from './form-parts.ts';
import type { MultipartFormRules, ParsedMultipartForm, StreamedFileRule } from './form-rules.ts';
import { parseJsonBody } from './json-body.ts';
import { findTextInputError, isPrototypePath, MAX_TEXT_BYTES } from './unsafe-text.ts';

const MAX_FORM_PARTS = 50;
const MAX_PART_HEADER_BYTES = 8_192;
/**
 * Read a multipart form into memory.
 * @throws MALFORMED_BODY, PAYLOAD_TOO_LARGE, VALIDATION_FAILED naming a field, BUSY for too much memory
 */
export async function readMultipartForm(
  request: FastifyRequest,
  rules: MultipartFormRules,
  disconnect: AbortSignal,
): Promise<ParsedMultipartForm> {
  const { streamed } = rules;
  const maxBytes = Object.values(rules.files).reduce(
    (sum, file) => sum + file.maxBytes,
    MAX_TEXT_BYTES * 16 + (streamed?.maxBytes ?? 0),
  );
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
  const { raw } = request;
  const stopCounting = limitBodyBytes(raw, maxBytes);
  const form: ParsedMultipartForm = { fields: {}, files: {} };
  try {
    const limits = {
      fileSize: maxBytes,
      files: MAX_FORM_PARTS,
      parts: MAX_FORM_PARTS,
      headerPairs: 20,
      headerSize: MAX_PART_HEADER_BYTES,
    };
    // Every part comes as bytes: the parser would decode invalid UTF-8 of a field to U+FFFD.
    const parts = mapFormErrors(iterateFormParts(raw, request.parts({ limits, isPartAFile: () => true })));
    let isStreamConsumed = false;
    for await (const part of parts) {
      if (part.type !== 'file') continue;
      const name = requirePartName(part);
      const isRepeated = Object.hasOwn(form.fields, name) || Object.hasOwn(form.files, name);
      if (isRepeated || (isStreamConsumed && name === streamed?.name)) throw createRepeatedFieldError(name);
      if (name === streamed?.name && typeof part.filename === 'string') {
        isStreamConsumed = true;
        await consumeStreamedFile(request, part, streamed, disconnect);
      } else await addFormPart(form, name, part, rules, (bytes) => reserveFormMemory(raw, bytes));
    }
    return form;
  } catch (error) {
    // Discard the rest of the body, so that the connection can be reused or closed.
    raw.unpipe();
    raw.resume();
    throw error;
  } finally {
    stopCounting();
  }
}

function readPartContent({ file }: MultipartFile): AsyncGenerator<Buffer> {
  return coalesceChunks(mapFormErrors<Buffer>(file));
}

async function* mapFormErrors<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* source;
  } catch (error) {
    throw toFormError(error);
  }
}

function requirePartName(part: MultipartFile): string {
  const name = part.fieldname;
  if (typeof name !== 'string' || name === '' || findTextInputError(name, 100) || name.includes('\ufffd')) {
    throw new ServiceError('MALFORMED_BODY', { detail: 'A part of the form has no valid name.' });
  }
  if (isPrototypePath(name))
    throw new ServiceError('MALFORMED_BODY', { detail: 'A field name is not allowed.' });
  return name;
}

function createRepeatedFieldError(name: string): ServiceError {
  return createValidationError({
    field: sanitizeFieldName(name),
    code: 'REPEATED',
    message: 'Must not be repeated.',
  });
}

async function consumeStreamedFile(
  request: FastifyRequest,
  part: MultipartFile,
  streamed: StreamedFileRule,
  disconnect: AbortSignal,
): Promise<void> {
  let size = 0;
  const waitForSlot = createChunkScheduler();
  async function* content() {
    for await (const chunk of readPartContent(part)) {
      size += chunk.length;
      if (size > streamed.maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
      await waitForSlot();
      yield chunk;
    }
  }
  await streamed.consume(request, { fileName: part.filename, content: content(), disconnect });
}

async function addFormPart(
  form: ParsedMultipartForm,
  name: string,
  part: MultipartFile,
  rules: MultipartFormRules,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const isFile = typeof part.filename === 'string';
  const file = Object.hasOwn(rules.files, name) ? rules.files[name] : undefined;
  const bytes = await readPartBytes(part, isFile ? (file?.maxBytes ?? 0) : MAX_TEXT_BYTES, onBytes);
  if (bytes === undefined) {
    if (!isFile)
      throw createValidationError({
        field: sanitizeFieldName(name),
        code: 'TOO_LONG',
        message: 'Is too long.',
      });
    if (file !== undefined) throw new ServiceError('PAYLOAD_TOO_LARGE', { detail: `${name} is too large.` });
  }
  // No text, so that its field is either unknown or of the wrong type.
  if (isFile && file === undefined && part.filename !== '') form.fields[name] = {};
  if (bytes === undefined) return;
  if (!isFile)
    form.fields[name] = rules.json?.includes(name) ? parseJsonBody(bytes) : decodeFieldText(name, bytes);
  // An empty file input is sent as an empty part.
  else if (file !== undefined && !(bytes.length === 0 && part.filename === '')) form.files[name] = bytes;
}

async function readPartBytes(
  part: MultipartFile,
  max: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer | undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readPartContent(part)) {
    size += chunk.length;
    if (size > max) chunks = [];
    else {
      onBytes(chunk.length);
      chunks.push(chunk);
    }
  }
  return size > max ? undefined : Buffer.concat(chunks);
}

function decodeFieldText(name: string, bytes: Buffer): string {
  const field = sanitizeFieldName(name);
  if (!isUtf8(bytes))
    throw createValidationError({ field, code: 'BAD_ENCODING', message: 'Must be valid UTF-8.' });
  // Browsers send CR LF in form fields (HTML, section 4.10.21.8).
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n');
  const fault = findTextInputError(text);
  if (fault !== undefined) throw createValidationError({ field, ...fault });
  return text;
}

function limitBodyBytes(raw: IncomingMessage, max: number): () => void {
  let total = 0;
  const count = (chunk: Buffer): void => {
    total += chunk.length;
    if (total > max) raw.emit('error', new ServiceError('PAYLOAD_TOO_LARGE'));
  };
  raw.on('data', count);
  return () => raw.off('data', count);
}

function toFormError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const status: unknown = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new ServiceError('PAYLOAD_TOO_LARGE', { cause: error });
  return new ServiceError('MALFORMED_BODY', { detail: 'The form cannot be parsed.', cause: error });
}
