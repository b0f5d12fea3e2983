import { setField, withHeader } from './change-plan.ts';
import {
  CONTENT_TYPES,
  HEADERS,
  LITERALS,
  METHODS,
  ODD_HEADERS,
  PATHS,
  QUERIES,
  TEXTS,
  WHOLE,
} from './hostile-values.ts';
import { percentEncoded } from './pick.ts';
import { type Change, chosen, type Plan, RAW } from './plan.ts';

/** Requests that mean harm, or that no sane client sends. */
export function hostileChanges(): Change[] {
  const inField: Change[] = [
    {
      name: 'hostile text in a field',
      make: (plan, nth) => setField(plan, spread(nth), () => chosen(TEXTS, nth)),
    },
    { name: 'hostile JSON in a field', make: hostileLiteral },
    { name: 'a hostile key', make: hostileKey },
  ];
  return [
    ...inField,
    ...inField,
    ...inField,
    { name: 'hostile bytes for a body', make: (plan, nth) => withBytes(plan, chosen(WHOLE, nth) ?? '') },
    { name: 'a body cut or altered', make: cutBody },
    { name: 'a body too large', make: (plan) => withBytes(plan, `{"a":"${'x'.repeat(1_048_600)}"}`) },
    { name: 'a hostile content type', make: hostileContentType },
    { name: 'a hostile header', make: (plan, nth) => withHeader(plan, chosen(HEADERS, nth)) },
    { name: 'a head that is none', make: oddHeader },
    {
      name: 'many headers',
      make: (plan) => ({ ...plan, isOdd: true, headers: [...plan.headers, ...manyHeaders()] }),
    },
    { name: 'a hostile query', make: (plan, nth) => ({ ...plan, rawQuery: chosen(QUERIES, nth) ?? '' }) },
    { name: 'hostile text in the query', make: hostileQueryText },
    { name: 'a hostile path', make: (plan, nth) => ({ ...plan, rawPath: chosen(PATHS, nth) ?? '/' }) },
    { name: 'hostile text in the path', make: hostilePathText },
    { name: 'another method', make: (plan, nth) => ({ ...plan, method: chosen(METHODS, nth) ?? 'FOO' }) },
    { name: 'a body in chunks', make: (plan) => (plan.body ? { ...plan, isChunked: true } : null) },
  ];
}

/** A second choice by the same number. */
function spread(nth: number): number {
  return Math.floor(nth / 97);
}

function hostileLiteral(plan: Plan, nth: number): Plan | null {
  const made = setField(plan, spread(nth), () => RAW);
  return made?.body ? { ...made, body: { ...made.body, raw: chosen(LITERALS, nth) ?? '1e999' } } : null;
}

function hostileKey(plan: Plan, nth: number): Plan | null {
  if (!plan.body) return null;
  const key = chosen([...TEXTS, '__proto__', 'constructor', '$ne', 'a.b', 'a[0]', ''], nth) ?? '';
  const value = typeof plan.body.value === 'object' && plan.body.value !== null ? plan.body.value : {};
  const inner = chosen(
    [value, ...Object.values(value)].filter((one) => typeof one === 'object' && one !== null),
    spread(nth),
  );
  Object.defineProperty(inner ?? value, key, {
    value: { polluted: 1 },
    enumerable: true,
    configurable: true,
  });
  return plan;
}

function withBytes(plan: Plan, bytes: string): Plan | null {
  return plan.body ? { ...plan, body: { ...plan.body, bytes } } : null;
}

function cutBody(plan: Plan, nth: number): Plan | null {
  if (!plan.body) return null;
  const text = Buffer.from(JSON.stringify(plan.body.value) ?? '').toString('latin1');
  const at = nth % Math.max(1, text.length);
  const ways = [
    text.slice(0, at),
    `${text.slice(0, at)}\xff${text.slice(at + 1)}`,
    `${text.slice(0, at)}\x00${text.slice(at)}`,
    `${text.slice(0, at)}${text.slice(at + 1)}`,
    text + text,
    `${text.slice(0, at)}"${text.slice(at)}`,
  ];
  return withBytes(plan, chosen(ways, spread(nth)) ?? '');
}

function hostileContentType(plan: Plan, nth: number): Plan | null {
  return plan.body
    ? { ...plan, isOdd: true, body: { ...plan.body, type: chosen(CONTENT_TYPES, nth) ?? '' } }
    : null;
}

function oddHeader(plan: Plan, nth: number): Plan {
  const header = chosen(ODD_HEADERS, nth) ?? ['', ''];
  return { ...plan, isOdd: true, headers: [...plan.headers, header] };
}

function manyHeaders(): [string, string][] {
  return Array.from({ length: 1_200 }, (_, index) => [`x-${index}`, 'a']);
}

function hostileQueryText(plan: Plan, nth: number): Plan | null {
  const text = (chosen(TEXTS, nth) ?? '').slice(0, 2_000);
  const [name] = chosen(plan.query, spread(nth)) ?? ['search'];
  const value = percentEncoded(text).slice(0, 6_000);
  return { ...plan, query: plan.query.filter(([other]) => other !== name), rawQuery: `${name}=${value}` };
}

function hostilePathText(plan: Plan, nth: number): Plan | null {
  const [name] = Object.keys(plan.path);
  if (name === undefined) return null;
  return { ...plan, path: { ...plan.path, [name]: (chosen(TEXTS, nth) ?? '').slice(0, 1_000) } };
}
