import { type Bounds, boundsOf } from './bounds.ts';
import { changeField, setField, withHeader } from './change-plan.ts';
import type { ApiDocument, Operation } from './document.ts';
import { isPick } from './pick.ts';
import { type Change, chosen, type Plan } from './plan.ts';

/** One thing wrong in a request that is otherwise as the document wants it. */
export function nearlyValidChanges(document: ApiDocument, operation: Operation): Change[] {
  const bounds = boundsOf(document, operation);
  return [
    {
      name: 'a bound and one',
      make: (plan, nth) => setField(plan, nth, (name) => chosen(bounds.get(name), nth)),
    },
    { name: 'a bound and one in the query', make: (plan, nth) => beyondInQuery(plan, nth, bounds) },
    {
      name: 'a field is missing',
      make: (plan, nth) => changeField(plan, nth, (parent, key) => Reflect.deleteProperty(parent, key)),
    },
    { name: 'a field is renamed', make: renameField },
    {
      name: 'a field too many',
      make: (plan, nth) => changeField(plan, nth, (parent) => Reflect.set(parent, 'unheardOf', 'x')),
    },
    {
      name: 'another type',
      make: (plan, nth) => setField(plan, nth, (_, value) => chosen(otherTypes(value), nth)),
    },
    { name: 'null', make: (plan, nth) => setField(plan, nth, () => null) },
    {
      name: 'empty',
      make: (plan, nth) =>
        setField(plan, nth, (_, value) => (Array.isArray(value) ? [] : typeof value === 'object' ? {} : '')),
    },
    {
      name: 'very long',
      make: (plan, nth) => setField(plan, nth, () => 'long '.repeat([60, 500, 14_000][nth % 3] ?? 0)),
    },
    {
      name: 'a list too long',
      make: (plan, nth) => setField(plan, nth, (_, value) => Array.from({ length: 600 }, () => value)),
    },
    { name: "somebody else's id", make: (plan) => setPicks(plan, 'any') },
    { name: 'an id of nothing', make: (plan) => setPicks(plan, 'absent') },
    { name: 'an id that is none', make: badId },
    { name: 'another content type', make: otherType },
    { name: 'no body', make: (plan) => (plan.body ? { ...withoutBody(plan) } : null) },
    {
      name: 'a body where there is none',
      make: (plan, nth) =>
        plan.body ? null : { ...plan, body: { type: chosen(TYPES, nth) ?? '', value: {} } },
    },
    { name: 'a parameter twice', make: (plan, nth) => withQuery(plan, chosen(plan.query, nth)) },
    { name: 'a parameter nobody knows', make: (plan) => withQuery(plan, ['unheardOf', '1']) },
    { name: 'a parameter out of range', make: (plan, nth) => outOfRange(plan, nth) },
    { name: 'a parameter not given by a word', make: (plan, nth) => notGiven(plan, nth) },
    { name: 'a condition', make: (plan, nth) => withHeader(plan, chosen(CONDITIONS, nth)) },
    { name: 'a short key', make: (plan) => withHeader(plan, ['idempotency-key', 'short']) },
  ];
}

const TYPES = [
  'application/json',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
];

const CONDITIONS: [string, string][] = [
  ['if-match', '"1"'],
  ['if-match', '*'],
  ['if-match', 'W/"1"'],
  ['if-match', '1'],
  ['if-match', '"999999999999"'],
  ['if-none-match', '*'],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"x", "y"'],
  ['range', 'bytes=0-9'],
  ['range', 'bytes=9999999-'],
  ['range', 'bytes=0-1,3-4'],
  ['accept', 'text/html'],
  ['accept', 'image/webp;q=0'],
  ['accept-language', 'xx-YY;q=2, *'],
  ['idempotency-key', 'the-same-key-for-all-of-them'],
];

function renameField(plan: Plan, nth: number): Plan | null {
  return changeField(plan, nth, (parent, key) => {
    const value = Reflect.get(parent, key);
    Reflect.deleteProperty(parent, key);
    Reflect.set(parent, nth % 2 === 0 ? key.toUpperCase() : `${key}s`, value);
  });
}

function setPicks(plan: Plan, whose: 'any' | 'absent'): Plan | null {
  let found = false;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isPick(value)) {
      value.whose = whose;
      found = true;
      return;
    }
    Object.values(value).forEach(visit);
  };
  visit([plan.path, plan.body?.value]);
  return found ? plan : null;
}

function badId(plan: Plan, nth: number): Plan | null {
  const [name] = Object.keys(plan.path);
  if (name === undefined) return null;
  const wrong = [
    '0',
    'x'.repeat(24),
    'A'.repeat(24),
    '0'.repeat(25),
    `${'0'.repeat(24)} `,
    'undefined',
    'x'.repeat(300),
  ];
  return { ...plan, path: { ...plan.path, [name]: chosen(wrong, nth) } };
}

function otherType(plan: Plan, nth: number): Plan | null {
  if (!plan.body) return null;
  return { ...plan, body: { ...plan.body, type: chosen(TYPES, nth) ?? '' } };
}

function withoutBody({ body: _body, ...plan }: Plan): Plan {
  return plan;
}

function withQuery(plan: Plan, pair: [string, unknown] | undefined): Plan | null {
  return pair ? { ...plan, query: [...plan.query, pair] } : null;
}

function outOfRange(plan: Plan, nth: number): Plan | null {
  const wrong = [
    '0',
    '-1',
    '101',
    '100001',
    '1e999',
    'NaN',
    '9007199254740993',
    '1.5',
    ' 1',
    '0x10',
    'true',
    '10,5',
  ];
  const [name] = chosen(plan.query, nth) ?? [];
  return name === undefined ? null : withValue(plan, name, chosen(wrong, nth));
}

function notGiven(plan: Plan, nth: number): Plan | null {
  const [name] = chosen(plan.query, nth) ?? [];
  return name === undefined ? null : withValue(plan, name, chosen(['', 'undefined', 'null'], nth));
}

function beyondInQuery(plan: Plan, nth: number, bounds: Bounds): Plan | null {
  const [name] = chosen(plan.query, nth) ?? [];
  const value = name === undefined ? undefined : chosen(bounds.get(name), nth);
  return name === undefined || value === undefined ? null : withValue(plan, name, value);
}

function withValue(plan: Plan, name: string, value: unknown): Plan {
  return { ...plan, query: plan.query.map((pair) => (pair[0] === name ? [name, value] : pair)) };
}

function otherTypes(value: unknown): unknown[] {
  const all = [12, 0.5, 'text', true, [], ['a'], {}, { not: '' }, { $ne: null }];
  return all.filter(
    (other) => typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value),
  );
}
