import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { TEXT_FORMATS_BY_PATTERN } from '../../src/shared/common.schemas.ts';
import { type ApiDocument, findOperation, type Operation, toObject } from './document.ts';
import { CANARY } from './fuzz-users.ts';
import type { RawResponse } from './raw-http.ts';
import type { EncodedRequest } from './request.ts';

export type ResponseChecker = (request: EncodedRequest, response: RawResponse | null) => string[];

/** Internal details that no error may expose: stack traces, SQL, messages of the database and its driver, hashes. */
const INTERNAL_DETAILS_PATTERN =
  /node_modules|\n {4}at |\.(?:ts|js):\d|prisma|postgres|SQLSTATE|relation "|duplicate key|violates|\bSELECT .* FROM\b|\bINSERT INTO\b|\$2[aby]\$|ECONN|errno|127\.0\.0\.1:\d/i;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const STAFF_ACTORS = ['admin', 'support', 'auditor'];
const CONTENT_SIGNATURES: Record<string, string> = {
  'image/png': '\x89PNG',
  'image/jpeg': '\xff\xd8\xff',
  'image/svg+xml': '<',
  'application/pdf': '%PDF',
};

export function createResponseChecker(document: ApiDocument): ResponseChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  formats.default(ajv);
  for (const [pattern, format] of TEXT_FORMATS_BY_PATTERN) ajv.addFormat(format, new RegExp(pattern, 'u'));
  ajv.addSchema(document.raw, 'api');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `api${pointer}` });
    validators.set(pointer, validator);
    return validator;
  };

  return (request, response) => {
    if (response === null) return request.method === 'CONNECT' ? [] : ['no answer'];
    return [
      ...findGeneralFaults(request, response),
      ...findDocumentFaults(document.operations, validatorOf, request, response),
      ...(response.status >= 400 && request.method !== 'HEAD'
        ? findProblemFaults(validatorOf, request, response)
        : []),
    ];
  };
}

function findGeneralFaults(request: EncodedRequest, { status, headers, body }: RawResponse): string[] {
  const faults: string[] = [];
  if (status >= 500 && status !== 503) faults.push(`${status}`);
  if ((status === 503 || status === 429) && !(Number(headers['retry-after']) >= 1))
    faults.push(`${status} without Retry-After`);
  if ('x-injected' in headers) faults.push('a header of the request came back as one of the answer');
  if (!headers['x-request-id']) faults.push('no X-Request-Id');
  // Compressed bytes contain those of U+FFFD by chance.
  const isText = /^(?:text\/|application\/(?:json|x-ndjson))/.test(String(headers['content-type']));
  if (status < 400 && isText && body.includes('\ufffd')) faults.push('text that was lost (U+FFFD)');
  if (!STAFF_ACTORS.includes(request.as) && body.includes(CANARY))
    faults.push("somebody else's private value");
  return faults;
}

function findDocumentFaults(
  operations: readonly Operation[],
  validatorOf: (pointer: string) => ValidateFunction,
  request: EncodedRequest,
  { status, headers, body }: RawResponse,
): string[] {
  const { method, path } = request;
  // Requests rejected before routing have the same response everywhere.
  if (request.isMalformed && [400, 404, 405, 408, 413, 415, 417, 431].includes(status)) return [];
  if (method === 'OPTIONS') return [204, 400, 404, 415].includes(status) ? [] : [`OPTIONS is ${status}`];
  const isHead = method === 'HEAD';
  // The absolute form (RFC 9112, section 3.2.2) has the same route.
  const operation = findOperation(
    operations,
    isHead ? 'GET' : method,
    decodePath(path.replace(/^https?:\/\/[^/]+/, '')),
  );
  if (!operation) {
    // A path is the same with a slash at its end.
    const plainPath = decodePath(path).replace(/\/(?=$|\?)/, '');
    if (findOperation(operations, isHead ? 'GET' : method, plainPath)) return [];
    // Paths outside of the OpenAPI document: pages, API reference, mailbox.
    if (/^\/(s|api\/docs|api\/sandbox|api\/auth|api\/subscription\/(?:checkout|portal))(\/|$|\?)/.test(path))
      return [];
    if (status === 405 && !headers.allow) return ['405 without Allow'];
    const isRefused = [400, 404, 405, 429, 431].includes(status);
    return isRefused || (!METHODS.includes(method) && status === 415)
      ? []
      : [`${status} where nothing is declared`];
  }
  const types = operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined);
  // A route without HEAD responds 405, as for any undocumented method.
  if (!types && isHead && status === 405) return [];
  if (!types) return [`${operation.id} does not declare ${status}`];
  if (isHead) return body.length === 0 ? [] : ['a body after HEAD'];
  if (Object.keys(types).length === 0)
    return body.length === 0 ? [] : [`${operation.id} declares no body for ${status}`];
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const pointer = types[type];
  if (pointer === undefined)
    return [`${operation.id} ${status} does not declare ${type || 'no content type'}`];
  if (!/[/+]json$/.test(type)) {
    const signature = CONTENT_SIGNATURES[type];
    const isRight =
      signature === undefined || status === 206 || body.toString('latin1', 0, 8).startsWith(signature);
    return isRight ? [] : [`${operation.id} ${status} is not ${type}`];
  }
  const value = parseJson(body);
  if (value === undefined) return [`${operation.id} ${status} is not JSON`];
  const validate = validatorOf(pointer);
  if (validate(value)) return [];
  const details = (validate.errors ?? [])
    .slice(0, 3)
    .map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [`${operation.id} ${status} is not as declared: ${details.join('; ')}`];
}

function findProblemFaults(
  validatorOf: (pointer: string) => ValidateFunction,
  request: EncodedRequest,
  { status, headers, body }: RawResponse,
): string[] {
  const text = body.toString();
  if (
    /^text\/html/.test(headers['content-type'] ?? '') &&
    /^\/(s|api\/docs|api\/auth|api\/sandbox|api\/subscription\/(?:checkout|portal))\b/.test(request.path)
  )
    return findInternalDetails(text, request);
  if (!/^application\/problem\+json/.test(headers['content-type'] ?? ''))
    return [`${status} is no problem document`];
  const problem = toObject(parseJson(body));
  const validate = validatorOf('#/components/schemas/Problem');
  const faults = validate(problem) ? [] : [`a problem that is none: ${validate.errors?.[0]?.message}`];
  if (problem.status !== status) faults.push(`${status} says it is ${problem.status}`);
  if (problem.code === 'INTERNAL') faults.push('INTERNAL');
  if (text.includes(CANARY)) faults.push('a private value in an error');
  return [...faults, ...findInternalDetails(text, request)];
}

/** Find internal details, unless the request contained them. */
function findInternalDetails(text: string, request: EncodedRequest): string[] {
  const match = INTERNAL_DETAILS_PATTERN.exec(text)?.[0];
  if (match === undefined || request.bytes.includes(match.slice(0, 12))) return [];
  return [`an error shows ${JSON.stringify(match)}`];
}

function decodePath(path: string): string {
  try {
    return path
      .split('/')
      .map(decodeURIComponent)
      .map((part) => part.replaceAll('/', '%2F'))
      .join('/');
  } catch {
    return path;
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
