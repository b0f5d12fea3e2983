import { addHeader, setField } from './change-plan.ts';
import {
  HOSTILE_BODIES,
  HOSTILE_CONTENT_TYPES,
  HOSTILE_HEADERS,
  HOSTILE_JSON_LITERALS,
  HOSTILE_METHODS,
  HOSTILE_PATHS,
  HOSTILE_QUERIES,
  HOSTILE_TEXTS,
  MALFORMED_HEADERS,
} from './hostile-values.ts';
import { percentEncode } from './record-placeholder.ts';
import { type PlanChange, pickByIndex, RAW_PLACEHOLDER, type RequestPlan } from './request-plan.ts';

export function createHostileChanges(): PlanChange[] {
  const fieldChanges: PlanChange[] = [
    {
      name: 'hostile text in a field',
      apply: (plan, nth) => setField(plan, getSecondIndex(nth), () => pickByIndex(HOSTILE_TEXTS, nth)),
    },
    { name: 'hostile JSON in a field', apply: setHostileLiteral },
    { name: 'a hostile key', apply: addHostileKey },
  ];
  return [
    ...fieldChanges,
    ...fieldChanges,
    ...fieldChanges,
    {
      name: 'hostile bytes for a body',
      apply: (plan, nth) => setBodyBytes(plan, pickByIndex(HOSTILE_BODIES, nth) ?? ''),
    },
    { name: 'a body cut or altered', apply: truncateBody },
    { name: 'a body too large', apply: (plan) => setBodyBytes(plan, `{"a":"${'x'.repeat(1_048_600)}"}`) },
    { name: 'a hostile content type', apply: setHostileContentType },
    { name: 'a hostile header', apply: (plan, nth) => addHeader(plan, pickByIndex(HOSTILE_HEADERS, nth)) },
    { name: 'a head that is none', apply: addMalformedHeader },
    {
      name: 'many headers',
      apply: (plan) => ({ ...plan, isMalformed: true, headers: [...plan.headers, ...createManyHeaders()] }),
    },
    {
      name: 'a hostile query',
      apply: (plan, nth) => ({ ...plan, rawQuery: pickByIndex(HOSTILE_QUERIES, nth) ?? '' }),
    },
    { name: 'hostile text in the query', apply: setHostileQuery },
    {
      name: 'a hostile path',
      apply: (plan, nth) => ({ ...plan, rawPath: pickByIndex(HOSTILE_PATHS, nth) ?? '/' }),
    },
    { name: 'hostile text in the path', apply: setHostilePath },
    {
      name: 'another method',
      apply: (plan, nth) => ({ ...plan, method: pickByIndex(HOSTILE_METHODS, nth) ?? 'FOO' }),
    },
    { name: 'a body in chunks', apply: (plan) => (plan.body ? { ...plan, isChunked: true } : null) },
  ];
}

/** Derive a second, independent index from the same number. */
function getSecondIndex(nth: number): number {
  return Math.floor(nth / 97);
}

function setHostileLiteral(plan: RequestPlan, nth: number): RequestPlan | null {
  const changed = setField(plan, getSecondIndex(nth), () => RAW_PLACEHOLDER);
  return changed?.body
    ? { ...changed, body: { ...changed.body, raw: pickByIndex(HOSTILE_JSON_LITERALS, nth) ?? '1e999' } }
    : null;
}

function addHostileKey(plan: RequestPlan, nth: number): RequestPlan | null {
  if (!plan.body) return null;
  const key =
    pickByIndex([...HOSTILE_TEXTS, '__proto__', 'constructor', '$ne', 'a.b', 'a[0]', ''], nth) ?? '';
  const value = typeof plan.body.value === 'object' && plan.body.value !== null ? plan.body.value : {};
  const inner = pickByIndex(
    [value, ...Object.values(value)].filter((one) => typeof one === 'object' && one !== null),
    getSecondIndex(nth),
  );
  Object.defineProperty(inner ?? value, key, {
    value: { polluted: 1 },
    enumerable: true,
    configurable: true,
  });
  return plan;
}

function setBodyBytes(plan: RequestPlan, bytes: string): RequestPlan | null {
  return plan.body ? { ...plan, body: { ...plan.body, bytes } } : null;
}

function truncateBody(plan: RequestPlan, nth: number): RequestPlan | null {
  if (!plan.body) return null;
  const text = Buffer.from(JSON.stringify(plan.body.value) ?? '').toString('latin1');
  const at = nth % Math.max(1, text.length);
  const variants = [
    text.slice(0, at),
    `${text.slice(0, at)}\xff${text.slice(at + 1)}`,
    `${text.slice(0, at)}\x00${text.slice(at)}`,
    `${text.slice(0, at)}${text.slice(at + 1)}`,
    text + text,
    `${text.slice(0, at)}"${text.slice(at)}`,
  ];
  return setBodyBytes(plan, pickByIndex(variants, getSecondIndex(nth)) ?? '');
}

function setHostileContentType(plan: RequestPlan, nth: number): RequestPlan | null {
  return plan.body
    ? {
        ...plan,
        isMalformed: true,
        body: { ...plan.body, type: pickByIndex(HOSTILE_CONTENT_TYPES, nth) ?? '' },
      }
    : null;
}

function addMalformedHeader(plan: RequestPlan, nth: number): RequestPlan {
  const header = pickByIndex(MALFORMED_HEADERS, nth) ?? ['', ''];
  return { ...plan, isMalformed: true, headers: [...plan.headers, header] };
}

function createManyHeaders(): [string, string][] {
  return Array.from({ length: 1_200 }, (_, index) => [`x-${index}`, 'a']);
}

function setHostileQuery(plan: RequestPlan, nth: number): RequestPlan | null {
  const text = (pickByIndex(HOSTILE_TEXTS, nth) ?? '').slice(0, 2_000);
  const [name] = pickByIndex(plan.query, getSecondIndex(nth)) ?? ['search'];
  const value = percentEncode(text).slice(0, 6_000);
  return { ...plan, query: plan.query.filter(([other]) => other !== name), rawQuery: `${name}=${value}` };
}

function setHostilePath(plan: RequestPlan, nth: number): RequestPlan | null {
  const [name] = Object.keys(plan.path);
  if (name === undefined) return null;
  return { ...plan, path: { ...plan.path, [name]: (pickByIndex(HOSTILE_TEXTS, nth) ?? '').slice(0, 1_000) } };
}
