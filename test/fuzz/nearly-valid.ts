import { type BoundaryValues, collectBoundaryValues } from './bounds.ts';
import { addHeader, changeField, setField } from './change-plan.ts';
import type { ApiDocument, Operation } from './document.ts';
import { isRecordPlaceholder } from './record-placeholder.ts';
import { type PlanChange, pickByIndex, type RequestPlan } from './request-plan.ts';

export function createNearlyValidChanges(document: ApiDocument, operation: Operation): PlanChange[] {
  const bounds = collectBoundaryValues(document, operation);
  return [
    {
      name: 'a bound and one',
      apply: (plan, nth) => setField(plan, nth, (name) => pickByIndex(bounds.get(name), nth)),
    },
    { name: 'a bound and one in the query', apply: (plan, nth) => setQueryBeyondBounds(plan, nth, bounds) },
    {
      name: 'a field is missing',
      apply: (plan, nth) => changeField(plan, nth, (parent, key) => Reflect.deleteProperty(parent, key)),
    },
    { name: 'a field is renamed', apply: renameField },
    {
      name: 'a field too many',
      apply: (plan, nth) => changeField(plan, nth, (parent) => Reflect.set(parent, 'unheardOf', 'x')),
    },
    {
      name: 'another type',
      apply: (plan, nth) => setField(plan, nth, (_, value) => pickByIndex(listOtherTypeValues(value), nth)),
    },
    { name: 'null', apply: (plan, nth) => setField(plan, nth, () => null) },
    {
      name: 'empty',
      apply: (plan, nth) =>
        setField(plan, nth, (_, value) => (Array.isArray(value) ? [] : typeof value === 'object' ? {} : '')),
    },
    {
      name: 'very long',
      apply: (plan, nth) => setField(plan, nth, () => 'long '.repeat([60, 500, 14_000][nth % 3] ?? 0)),
    },
    {
      name: 'a list too long',
      apply: (plan, nth) => setField(plan, nth, (_, value) => Array.from({ length: 600 }, () => value)),
    },
    { name: "somebody else's id", apply: (plan) => setPicks(plan, 'any') },
    { name: 'an id of nothing', apply: (plan) => setPicks(plan, 'absent') },
    { name: 'an id that is none', apply: setInvalidId },
    { name: 'another content type', apply: setOtherType },
    { name: 'no body', apply: (plan) => (plan.body ? { ...removeBody(plan) } : null) },
    {
      name: 'a body where there is none',
      apply: (plan, nth) =>
        plan.body ? null : { ...plan, body: { type: pickByIndex(WRONG_TYPE_VALUES, nth) ?? '', value: {} } },
    },
    {
      name: 'a parameter twice',
      apply: (plan, nth) => addQueryParameter(plan, pickByIndex(plan.query, nth)),
    },
    { name: 'a parameter nobody knows', apply: (plan) => addQueryParameter(plan, ['unheardOf', '1']) },
    { name: 'a parameter out of range', apply: (plan, nth) => setOutOfRangeValue(plan, nth) },
    { name: 'a parameter not given by a word', apply: (plan, nth) => removeParameter(plan, nth) },
    { name: 'a condition', apply: (plan, nth) => addHeader(plan, pickByIndex(CONDITIONAL_HEADERS, nth)) },
    { name: 'a short key', apply: (plan) => addHeader(plan, ['idempotency-key', 'short']) },
  ];
}

const WRONG_TYPE_VALUES = [
  'application/json',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
];

const CONDITIONAL_HEADERS: [string, string][] = [
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

function renameField(plan: RequestPlan, nth: number): RequestPlan | null {
  return changeField(plan, nth, (parent, key) => {
    const value = Reflect.get(parent, key);
    Reflect.deleteProperty(parent, key);
    Reflect.set(parent, nth % 2 === 0 ? key.toUpperCase() : `${key}s`, value);
  });
}

function setPicks(plan: RequestPlan, ownership: 'any' | 'absent'): RequestPlan | null {
  let hasPlaceholder = false;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isRecordPlaceholder(value)) {
      value.ownership = ownership;
      hasPlaceholder = true;
      return;
    }
    Object.values(value).forEach(visit);
  };
  visit([plan.path, plan.body?.value]);
  return hasPlaceholder ? plan : null;
}

function setInvalidId(plan: RequestPlan, nth: number): RequestPlan | null {
  const [name] = Object.keys(plan.path);
  if (name === undefined) return null;
  const invalidValues = [
    '0',
    'x'.repeat(24),
    'A'.repeat(24),
    '0'.repeat(25),
    `${'0'.repeat(24)} `,
    'undefined',
    'x'.repeat(300),
  ];
  return { ...plan, path: { ...plan.path, [name]: pickByIndex(invalidValues, nth) } };
}

function setOtherType(plan: RequestPlan, nth: number): RequestPlan | null {
  if (!plan.body) return null;
  return { ...plan, body: { ...plan.body, type: pickByIndex(WRONG_TYPE_VALUES, nth) ?? '' } };
}

function removeBody({ body: _body, ...plan }: RequestPlan): RequestPlan {
  return plan;
}

function addQueryParameter(plan: RequestPlan, pair: [string, unknown] | undefined): RequestPlan | null {
  return pair ? { ...plan, query: [...plan.query, pair] } : null;
}

function setOutOfRangeValue(plan: RequestPlan, nth: number): RequestPlan | null {
  const invalidValues = [
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
  const [name] = pickByIndex(plan.query, nth) ?? [];
  return name === undefined ? null : setParameterValue(plan, name, pickByIndex(invalidValues, nth));
}

function removeParameter(plan: RequestPlan, nth: number): RequestPlan | null {
  const [name] = pickByIndex(plan.query, nth) ?? [];
  return name === undefined
    ? null
    : setParameterValue(plan, name, pickByIndex(['', 'undefined', 'null'], nth));
}

function setQueryBeyondBounds(plan: RequestPlan, nth: number, bounds: BoundaryValues): RequestPlan | null {
  const [name] = pickByIndex(plan.query, nth) ?? [];
  const value = name === undefined ? undefined : pickByIndex(bounds.get(name), nth);
  return name === undefined || value === undefined ? null : setParameterValue(plan, name, value);
}

function setParameterValue(plan: RequestPlan, name: string, value: unknown): RequestPlan {
  return { ...plan, query: plan.query.map((pair) => (pair[0] === name ? [name, value] : pair)) };
}

function listOtherTypeValues(value: unknown): unknown[] {
  const all = [12, 0.5, 'text', true, [], ['a'], {}, { not: '' }, { $ne: null }];
  return all.filter(
    (other) => typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value),
  );
}
