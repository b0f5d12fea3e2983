import type { Forms } from './forms.ts';
import { PICTURES } from './from-schema.ts';
import { isPick, percentEncoded } from './pick.ts';
import { type Actor, type Body, type Plan, RAW } from './plan.ts';
import type { World } from './world.ts';

/** A request as it goes over the wire. */
export interface Request {
  bytes: Buffer;
  method: string;
  /** The path without its query, as it is sent. */
  path: string;
  as: Actor;
  isOdd: boolean;
}

/** Puts what the service has into the places of a plan, and writes it as HTTP/1.1. */
export function requestOf(plan: Plan, world: World, forms: Forms): Request {
  // Ids come first: a token that belongs to one of them is the right one to send along.
  const ids: string[] = [];
  const fill = (value: unknown): unknown => filled(value, plan.as, world, ids);
  const path = plan.rawPath ?? pathOf(plan, fill);
  const value = fill(plan.body?.value);
  const query = [
    ...plan.query.map(([name, given]) => `${percentEncoded(name)}=${percentEncoded(String(fill(given)))}`),
    ...(plan.rawQuery === undefined ? [] : [plan.rawQuery]),
  ].join('&');
  const headers = plan.headers.map(([name, given]): [string, string] => [name, String(fill(given))]);
  const body = plan.body && bodyOf({ ...plan.body, value }, forms);

  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const token = world.tokenOf(plan.as);
  const head: [string, string][] = [['host', world.host]];
  if (token && !names.has('authorization')) head.push(['authorization', `Bearer ${token}`]);
  if (body && body.type !== '') head.push(['content-type', body.type]);
  if (body && plan.isChunked) head.push(['transfer-encoding', 'chunked']);
  else if (body || ['POST', 'PUT', 'PATCH'].includes(plan.method))
    head.push(['content-length', String(body?.bytes.length ?? 0)]);
  const lines = [...head, ...headers].map(([name, text]) => `${name}: ${text}\r\n`).join('');
  const target = query === '' ? path : `${path}?${query}`;
  const start = `${plan.method} ${target} HTTP/1.1\r\n${lines}\r\n`;
  const content = body ? (plan.isChunked ? chunked(body.bytes) : body.bytes) : Buffer.alloc(0);
  return {
    bytes: Buffer.concat([headBytes(start), content]),
    method: plan.method,
    path: path.replace(/[?#].*$/s, ''),
    as: plan.as,
    // Bytes that follow a body nobody expects would be read as the next request.
    isOdd: plan.isOdd === true || plan.method !== plan.method.toUpperCase(),
  };
}

function pathOf(plan: Plan, fill: (value: unknown) => unknown): string {
  return plan.template.replace(/\{([^}]+)\}/g, (_, name) => percentEncoded(String(fill(plan.path[name]))));
}

function filled(value: unknown, as: Actor, world: World, ids: string[]): unknown {
  if (isPick(value)) {
    const found = world.find(value, as, ids);
    if (value.$pick === 'id') ids.push(found);
    return found;
  }
  if (Array.isArray(value)) return value.map((inner) => filled(inner, as, world, ids));
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  // An own `__proto__` is to be sent as one.
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(copy, key, {
      value: filled(inner, as, world, ids),
      enumerable: true,
      configurable: true,
    });
  return copy;
}

function bodyOf(body: Body, forms: Forms): { type: string; bytes: Buffer } {
  if (body.bytes !== undefined) return { type: body.type, bytes: Buffer.from(body.bytes, 'latin1') };
  if (body.type === 'multipart/form-data') return forms.ofValue(body.value, PICTURES);
  const text = Buffer.from(JSON.stringify(body.value) ?? '');
  const place = Buffer.from(JSON.stringify(RAW));
  const at = body.raw === undefined ? -1 : text.indexOf(place);
  if (at === -1) return { type: body.type, bytes: text };
  const raw = Buffer.from(body.raw ?? '', 'latin1');
  return {
    type: body.type,
    bytes: Buffer.concat([text.subarray(0, at), raw, text.subarray(at + place.length)]),
  };
}

/** Characters above Latin-1 go out as UTF-8, as a browser would send them. */
function headBytes(text: string): Buffer {
  return Buffer.concat(
    [...text].map((one) => Buffer.from(one, (one.codePointAt(0) ?? 0) > 0xff ? 'utf8' : 'latin1')),
  );
}

function chunked(bytes: Buffer): Buffer {
  const half = Math.ceil(bytes.length / 2);
  const pieces = [bytes.subarray(0, half), bytes.subarray(half)].filter((piece) => piece.length > 0);
  return Buffer.concat([
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);
}
