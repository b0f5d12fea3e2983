import { type ApiDocument, type Operation, objectOf, type Schema } from './document.ts';
import { isPick } from './pick.ts';
import type { Change, Plan } from './plan.ts';

/** Lengths and bounds that the schemas give a field, by its name. */
type Bounds = Map<string, unknown[]>;

/** One thing wrong in a request that is otherwise as the document wants it. */
export function nearlyValidChanges(document: ApiDocument, operation: Operation): Change[] {
  const bounds: Bounds = new Map();
  for (const schema of Object.values(operation.bodies))
    collectBounds(document, schema, 'body', bounds, new Set());
  for (const { name, schema } of operation.parameters)
    collectBounds(document, schema, name, bounds, new Set());
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
      make: (plan) => (plan.body ? null : { ...plan, body: { type: 'application/json', value: { a: 1 } } }),
    },
    { name: 'a parameter twice', make: (plan, nth) => withQuery(plan, chosen(plan.query, nth)) },
    { name: 'a parameter nobody knows', make: (plan) => withQuery(plan, ['unheardOf', '1']) },
    { name: 'a parameter out of range', make: (plan, nth) => outOfRange(plan, nth) },
    { name: 'a parameter not given by a word', make: (plan, nth) => notGiven(plan, nth) },
    { name: 'a condition', make: (plan, nth) => withHeader(plan, chosen(CONDITIONS, nth)) },
    { name: 'a short key', make: (plan) => withHeader(plan, ['idempotency-key', 'short']) },
  ];
}

const CONDITIONS: [string, string][] = [
  ['if-match', '"1"'],
  ['if-match', '*'],
  ['if-match', 'W/"1"'],
  ['if-match', '1'],
  ['if-match', '"999999999999"'],
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

/** Every field of a body: its parent and its key. */
export function fieldsOf(plan: Plan): { parent: object; key: string }[] {
  const fields: { parent: object; key: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || isPick(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      fields.push({ parent: value, key });
      visit(inner);
    }
  };
  visit(plan.body?.value);
  return fields;
}

/** Changes a field of the body in its parent; null where the body has none. */
function changeField(plan: Plan, nth: number, change: (parent: object, key: string) => void): Plan | null {
  const field = chosen(fieldsOf(plan), nth);
  if (!field) return null;
  change(field.parent, field.key);
  return plan;
}

/** Gives a field of the body another value; undefined leaves all as it was. */
export function setField(
  plan: Plan,
  nth: number,
  value: (name: string, before: unknown) => unknown,
): Plan | null {
  const field = chosen(fieldsOf(plan), nth);
  const made = field && value(field.key, Reflect.get(field.parent, field.key));
  if (!field || made === undefined) return null;
  Reflect.set(field.parent, field.key, made);
  return plan;
}

/** Adds a header. */
export function withHeader(plan: Plan, header: [string, string] | undefined): Plan | null {
  return header ? { ...plan, headers: [...plan.headers, header] } : null;
}

/** One of a list by any whole number. */
export function chosen<Item>(items: readonly Item[] | undefined, nth: number): Item | undefined {
  return items && items.length > 0 ? items[nth % items.length] : undefined;
}

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
  const types = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ];
  return { ...plan, body: { ...plan.body, type: chosen(types, nth) ?? '' } };
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

function collectBounds(
  document: ApiDocument,
  given: Schema,
  name: string,
  bounds: Bounds,
  seen: Set<Schema>,
): void {
  const schema = document.resolve(given);
  if (seen.has(schema)) return;
  seen.add(schema);
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const beyond: unknown[] = [];
  if (typeof minLength === 'number' && minLength > 0)
    beyond.push('a'.repeat(minLength - 1), 'a'.repeat(minLength));
  if (typeof maxLength === 'number')
    beyond.push('a'.repeat(maxLength + 1), 'a'.repeat(maxLength), '𝒂'.repeat(maxLength));
  if (typeof minimum === 'number') beyond.push(minimum - 1, minimum, minimum - 1e-9);
  if (typeof maximum === 'number') beyond.push(maximum + 1, maximum, maximum + 1e-9);
  if (typeof minItems === 'number' && minItems > 0) beyond.push(Array(minItems - 1).fill('a'));
  if (typeof maxItems === 'number') beyond.push(Array(maxItems + 1).fill('a'), Array(maxItems).fill('a'));
  if (beyond.length > 0) bounds.set(name, [...(bounds.get(name) ?? []), ...beyond]);
  for (const [key, inner] of Object.entries(objectOf(schema.properties)))
    collectBounds(document, objectOf(inner), key, bounds, seen);
  for (const inner of [schema.oneOf, schema.anyOf, schema.allOf].flat())
    if (inner) collectBounds(document, objectOf(inner), name, bounds, seen);
  if (schema.items) collectBounds(document, objectOf(schema.items), name, bounds, seen);
}
