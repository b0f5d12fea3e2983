import { FILLED_LINE, FILLED_TEXT, FREE_TEXT, ONE_LINE } from './common.schemas.ts';
import type { FieldError } from './errors.ts';

/** What a validator of JSON Schema says of one failure; the errors of Ajv are such. */
export interface SchemaFault {
  keyword: string;
  /** A JSON pointer to what failed (RFC 6901). */
  instancePath: string;
  params: Params;
  /** The schema with the keyword. */
  parentSchema?: unknown;
}

type Params = Readonly<Record<string, unknown>>;
type Word = readonly [code: string, message: (params: Params, parentSchema?: unknown) => string];

/** More than this many errors help nobody. */
const MAX_SHOWN = 50;

/** What the patterns of plain texts keep out; other patterns stand for a form of their own. */
const PLAIN_TEXTS: ReadonlyMap<unknown, string> = new Map([
  [ONE_LINE, 'Must be one line, without control characters or marks that nobody sees.'],
  [FILLED_LINE, 'Must be one line that is not blank, without control characters or marks that nobody sees.'],
  [FREE_TEXT, 'Must not have control characters.'],
  [FILLED_TEXT, 'Must not be blank, nor have control characters.'],
]);

const REQUIRED: Word = ['REQUIRED', () => 'Is required.'];
const UNKNOWN: Word = ['UNKNOWN_FIELD', () => 'Is not a known field.'];
const NO_MATCH: Word = ['NO_MATCH', () => 'Has none of the forms described.'];

/**
 * What a failed keyword is called in an answer. The order is that of need: where one field fails several keywords,
 * a person is told the first of them, since mending it often mends the rest.
 */
const WORDS: ReadonlyMap<string, Word> = new Map<string, Word>([
  ['required', REQUIRED],
  ['dependentRequired', REQUIRED],
  ['additionalProperties', UNKNOWN],
  ['unevaluatedProperties', UNKNOWN],
  ['propertyNames', UNKNOWN],
  ['type', ['WRONG_TYPE', ({ type }) => `Must be of type ${listed(type, ' or ')}.`]],
  ['enum', ['NOT_ALLOWED', ({ allowedValues }) => `Must be one of: ${listed(allowedValues, ', ')}.`]],
  ['const', ['NOT_ALLOWED', ({ allowedValue }) => `Must be ${String(allowedValue)}.`]],
  ['minLength', ['TOO_SHORT', ({ limit }) => `Must have at least ${counted(limit, 'character')}.`]],
  ['maxLength', ['TOO_LONG', ({ limit }) => `Must have at most ${counted(limit, 'character')}.`]],
  ['format', ['BAD_FORMAT', ({ format }) => `Must have the format ${String(format)}.`]],
  ['pattern', ['BAD_FORMAT', patternWords]],
  ['minimum', ['TOO_SMALL', ({ limit }) => `Must be at least ${String(limit)}.`]],
  ['exclusiveMinimum', ['TOO_SMALL', ({ limit }) => `Must be more than ${String(limit)}.`]],
  ['maximum', ['TOO_LARGE', ({ limit }) => `Must be at most ${String(limit)}.`]],
  ['exclusiveMaximum', ['TOO_LARGE', ({ limit }) => `Must be less than ${String(limit)}.`]],
  ['multipleOf', ['WRONG_STEP', ({ multipleOf }) => `Must be a multiple of ${String(multipleOf)}.`]],
  ['minItems', ['TOO_FEW', ({ limit }) => `Must have at least ${counted(limit, 'item')}.`]],
  ['minProperties', ['TOO_FEW', ({ limit }) => `Must have at least ${counted(limit, 'field')}.`]],
  ['maxItems', ['TOO_MANY', ({ limit }) => `Must have at most ${counted(limit, 'item')}.`]],
  ['maxProperties', ['TOO_MANY', ({ limit }) => `Must have at most ${counted(limit, 'field')}.`]],
  ['uniqueItems', ['NOT_UNIQUE', () => 'Must not hold the same item twice.']],
  ['anyOf', NO_MATCH],
  ['oneOf', NO_MATCH],
]);

const OTHER: Word = ['INVALID', () => 'Is not valid.'];
const NEEDS: readonly string[] = [...WORDS.keys()];

/** Keywords that only say that a deeper error, reported beside them, exists. */
const WRAPPERS = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'propertyNames']);

/**
 * What a validator found, as fields a client can point at: one error a field, the first that a person needs, 50 at
 * most, never a value that was sent. `whole` names the value when it is itself wrong (`body`); `prefix` is put
 * before every path (`data`).
 */
export function fieldErrors(faults: readonly SchemaFault[], whole = 'body', prefix = ''): FieldError[] {
  const chosen = new Map<string, SchemaFault>();
  for (const fault of faults) {
    if (WRAPPERS.has(fault.keyword) && faults.some((other) => liesBelow(other, fault))) continue;
    const field = fieldPath(stepsOf(fault), prefix) || whole;
    const before = chosen.get(field);
    if (before === undefined || need(fault) < need(before)) chosen.set(field, fault);
  }
  return [...chosen].slice(0, MAX_SHOWN).map(([field, { keyword, params, parentSchema }]) => {
    const [code, message] = WORDS.get(keyword) ?? OTHER;
    return { field, code, message: message(params, parentSchema) };
  });
}

/** What a validator found last. It forgets it: the faults hold the values that were sent. */
export function takeFaults(validator: { errors?: null | SchemaFault[] }): SchemaFault[] {
  const { errors } = validator;
  validator.errors = null;
  return errors ?? [];
}

/** A path such as `data.allergies[0].name` from its steps, below `prefix` where that is not empty. */
export function fieldPath(steps: readonly string[], prefix: string): string {
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? shownName(step) : `${path}.${shownName(step)}`;
  }, prefix);
}

/**
 * A field's name, which the client may have chosen, as it may be shown: 100 characters at most, and none that a log
 * or a page could trip over.
 */
export function shownName(name: string): string {
  return name.slice(0, 100).replace(/[^\p{L}\p{M}\p{N}_$% .[\]-]/gu, '?');
}

function patternWords({ pattern }: Params, parentSchema: unknown): string {
  const plain = PLAIN_TEXTS.get(pattern);
  if (plain !== undefined) return plain;
  const description: unknown = Reflect.get(Object(parentSchema), 'description');
  return typeof description === 'string'
    ? `Must have the form described: ${description}`
    : `Must match ${String(pattern)}`;
}

function liesBelow(other: SchemaFault, wrapper: SchemaFault): boolean {
  return (
    other !== wrapper && !WRAPPERS.has(other.keyword) && other.instancePath.startsWith(wrapper.instancePath)
  );
}

function stepsOf({ instancePath, params }: SchemaFault): string[] {
  const member =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  const steps = instancePath.split('/').slice(1).map(unescapePointer);
  return typeof member === 'string' ? [...steps, member] : steps;
}

/** RFC 6901, section 4. */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The lower, the sooner a person needs to know. */
function need({ keyword }: SchemaFault): number {
  const place = NEEDS.indexOf(keyword);
  return place === -1 ? NEEDS.length : place;
}

function listed(values: unknown, between: string): string {
  return Array.isArray(values) ? values.join(between) : String(values);
}

function counted(limit: unknown, what: string): string {
  return `${String(limit)} ${what}${limit === 1 ? '' : 's'}`;
}
