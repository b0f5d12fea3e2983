import { toObject } from './document.ts';
import type { FormEncoder } from './forms.ts';
import { encodeLenientUtf8, isRecordPlaceholder, percentEncode } from './record-placeholder.ts';
import { type Actor, RAW_PLACEHOLDER, type RequestBody, type RequestPlan } from './request-plan.ts';
import { PICTURE_NAMES } from './schema-arbitraries.ts';
import type { FuzzWorld } from './world.ts';

interface EncodedBody {
  type: string;
  bytes: Buffer;
  /** A wrong Content-Length. */
  length?: number;
}

export interface EncodedRequest {
  bytes: Buffer;
  method: string;
  path: string;
  as: Actor;
  isMalformed: boolean;
}

/** Resolve the placeholders of a plan and encode it as HTTP/1.1. */
export function encodeRequest(plan: RequestPlan, world: FuzzWorld, forms: FormEncoder): EncodedRequest {
  const { body } = plan;
  return encodeFilledRequest(plan, world, body && ((value) => encodeBody({ ...body, value }, forms)));
}

/** Encode a request with another body, created from the resolved value of the plan. */
export function encodeFilledRequest(
  plan: RequestPlan,
  world: FuzzWorld,
  encode: ((value: unknown) => EncodedBody) | undefined,
): EncodedRequest {
  // Ids first, so that a token of the same record is used.
  const ids: string[] = [];
  const fill = (value: unknown): unknown => fillPlaceholders(value, plan.actor, world, ids);
  const path = plan.rawPath ?? buildPath(plan, fill);
  const body = encode?.(fill(plan.body?.value));
  const query = [
    ...plan.query.map(([name, value]) => `${percentEncode(name)}=${percentEncode(String(fill(value)))}`),
    ...(plan.rawQuery === undefined ? [] : [plan.rawQuery]),
  ].join('&');
  const headers = plan.headers.map(([name, value]): [string, string] => [name, String(fill(value))]);
  const target = query === '' ? path : `${path}?${query}`;
  const lines = [...createRequestHeaders(plan, world, headers, body), ...headers].map(
    ([name, text]) => `${name}: ${text}\r\n`,
  );
  const start = `${plan.method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const content = body ? (plan.isChunked ? encodeChunked(body.bytes) : body.bytes) : Buffer.alloc(0);
  return {
    bytes: Buffer.concat([encodeHead(start), content]),
    method: plan.method,
    path: path.replace(/[?#].*$/s, ''),
    as: plan.actor,
    // An unexpected body would be read as the next request.
    isMalformed:
      plan.isMalformed === true || plan.method !== plan.method.toUpperCase() || body?.length !== undefined,
  };
}

function createRequestHeaders(
  plan: RequestPlan,
  world: FuzzWorld,
  planHeaders: [string, string][],
  body: EncodedBody | undefined,
) {
  const own: [string, string][] = [['host', world.host]];
  const token = world.getToken(plan.actor);
  const hasAuthorization = planHeaders.some(([name]) => name.toLowerCase() === 'authorization');
  if (token && !hasAuthorization) own.push(['authorization', `Bearer ${token}`]);
  if (body && body.type !== '') own.push(['content-type', body.type]);
  if (body && plan.isChunked) own.push(['transfer-encoding', 'chunked']);
  else if (body || ['POST', 'PUT', 'PATCH'].includes(plan.method))
    own.push(['content-length', String(body?.length ?? body?.bytes.length ?? 0)]);
  return own;
}

function buildPath(plan: RequestPlan, fill: (value: unknown) => unknown): string {
  return plan.template.replace(/\{([^}]+)\}/g, (_, name) => percentEncode(String(fill(plan.path[name]))));
}

function fillPlaceholders(value: unknown, as: Actor, world: FuzzWorld, ids: string[]): unknown {
  if (isRecordPlaceholder(value)) {
    const resolved = world.find(value, as, ids);
    if (value.$pick === 'id') ids.push(resolved);
    return resolved;
  }
  if (Array.isArray(value)) return value.map((inner) => fillPlaceholders(inner, as, world, ids));
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  // `__proto__` must be sent as an own property.
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(copy, key, {
      value: fillPlaceholders(inner, as, world, ids),
      enumerable: true,
      configurable: true,
    });
  return copy;
}

function encodeBody(body: RequestBody, forms: FormEncoder): EncodedBody {
  if (body.bytes !== undefined) return { type: body.type, bytes: Buffer.from(body.bytes, 'latin1') };
  if (body.type === 'application/x-www-form-urlencoded')
    return { type: body.type, bytes: encodeUrlForm(body.value) };
  if (body.type === 'multipart/form-data') return forms.encodeValue(body.value, PICTURE_NAMES);
  const text = Buffer.from(JSON.stringify(body.value) ?? '');
  const marker = Buffer.from(JSON.stringify(RAW_PLACEHOLDER));
  const at = body.raw === undefined ? -1 : text.indexOf(marker);
  if (at === -1) return { type: body.type, bytes: text };
  const raw = Buffer.from(body.raw ?? '', 'latin1');
  return {
    type: body.type,
    bytes: Buffer.concat([text.subarray(0, at), raw, text.subarray(at + marker.length)]),
  };
}

function encodeUrlForm(value: unknown): Buffer {
  const pairs = Object.entries(toObject(value)).map(
    ([name, text]) =>
      `${percentEncode(name)}=${percentEncode(typeof text === 'string' ? text : `${JSON.stringify(text)}`)}`,
  );
  return Buffer.from(pairs.join('&'));
}

/** Encode characters above Latin-1 as UTF-8, as browsers do. */
function encodeHead(text: string): Buffer {
  const chunks = text.split(/([^\0-\xff]+)/);
  return Buffer.concat(
    chunks.map((chunk, index) => (index % 2 === 0 ? Buffer.from(chunk, 'latin1') : encodeLenientUtf8(chunk))),
  );
}

function encodeChunked(bytes: Buffer): Buffer {
  const half = Math.ceil(bytes.length / 2);
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)].filter((chunk) => chunk.length > 0);
  return Buffer.concat([
    ...chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);
}
