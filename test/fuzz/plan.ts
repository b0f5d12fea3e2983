import fc from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import { picks, valuesOf } from './from-schema.ts';
import { hostileChanges } from './hostile.ts';
import { nearlyValidChanges } from './nearly-valid.ts';

/** Who sends a request: people of the world, or nobody. */
export const ACTORS = [
  'anonymous',
  'owner',
  'stranger',
  'newcomer',
  'suspended',
  'support',
  'auditor',
  'admin',
  'expired',
] as const;

export type Actor = (typeof ACTORS)[number];

export interface Body {
  type: string;
  /** What becomes JSON, or the fields of a form; places for what the service has are filled in when it is sent. */
  value?: unknown;
  /** Bytes (Latin-1) that take the place of the text `RAW` within the JSON. */
  raw?: string;
  /** Bytes (Latin-1) that are the whole body. */
  bytes?: string;
}

/** The text that `Body.raw` replaces, quotes included. */
export const RAW = '@@raw@@';

/** A request before it is sent: plain data, the same for the same seed. */
export interface Plan {
  operation: string;
  kind: 'valid' | 'nearly valid' | 'hostile';
  /** What is wrong with it, in words; empty for a valid one. */
  change: string;
  as: Actor;
  method: string;
  /** `/api/qrcodes/{id}`. */
  template: string;
  /** Values of the path's parameters. */
  path: Record<string, unknown>;
  /** Takes the place of the whole path. */
  rawPath?: string;
  query: [string, unknown][];
  /** Added to the query as it is. */
  rawQuery?: string;
  headers: [string, unknown][];
  body?: Body;
  /** Whether the framing is wrong, so that the connection cannot be used again. */
  isOdd?: boolean;
  isChunked?: boolean;
}

/** Something that is made wrong in a plan; `nth` chooses among the places where it can be. */
export interface Change {
  name: string;
  /** The changed plan (`plan` is a copy and may be changed), or null where there is no place for it. */
  make(plan: Plan, nth: number, operation: Operation): Plan | null;
}

/** Requests to an operation: valid, nearly valid and hostile in equal parts. */
export function plansOf(document: ApiDocument, operation: Operation): fc.Arbitrary<Plan> {
  const valid = validPlans(document, operation);
  const nearly = changed(valid, operation, 'nearly valid', nearlyValidChanges(document, operation));
  const hostile = changed(valid, operation, 'hostile', hostileChanges());
  return fc.oneof(valid, nearly, hostile);
}

function changed(
  plans: fc.Arbitrary<Plan>,
  operation: Operation,
  kind: Plan['kind'],
  changes: readonly Change[],
): fc.Arbitrary<Plan> {
  const which = fc.constantFrom(...changes);
  return fc
    .tuple(plans, which, fc.nat({ max: 2 ** 20 }), fc.constantFrom(...changes))
    .map(([plan, change, nth, other]) => {
      for (const { name, make } of [change, other]) {
        const made = make(structuredClone(plan), nth, operation);
        if (made) return { ...made, kind, change: name };
      }
      return plan;
    });
}

function validPlans(document: ApiDocument, operation: Operation): fc.Arbitrary<Plan> {
  const values = operation.parameters.map(({ name, in: place, schema, required }) => {
    const folder = place === 'path' ? /^\/uploads\/([^/]+)\//.exec(operation.path)?.[1] : undefined;
    const arbitrary = folder
      ? picks('file', folder)
      : valuesOf(document, schema, place === 'path' ? idName(operation.path, name) : name);
    return [
      `${place} ${name}`,
      required ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: 3 }),
    ] as const;
  });
  const bodies = Object.entries(operation.bodies).map(([type, schema]) =>
    valuesOf(document, schema, 'body').map((value): Body => ({ type, value })),
  );
  const examples = Object.values(operation.examples);
  if (examples.length > 0)
    bodies.push(fc.constantFrom(...examples).map((value): Body => ({ type: 'application/json', value })));
  return fc
    .record({
      as: actorsFor(operation),
      values: fc.record(Object.fromEntries(values)),
      body: bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(undefined),
    })
    .map(({ as, values, body }) => {
      const plan: Plan = {
        operation: operation.id,
        kind: 'valid',
        change: '',
        as,
        method: operation.method,
        template: operation.path,
        path: {},
        query: [],
        headers: [],
      };
      for (const [place, value] of Object.entries(values)) {
        const [where = '', name = ''] = place.split(' ');
        if (value === undefined) continue;
        if (where === 'path') plan.path[name] = value;
        else if (where === 'query') plan.query.push([name, value]);
        else plan.headers.push([name, value]);
      }
      if (body) plan.body = body;
      return plan;
    });
}

/** Every role, and mostly one that gets somewhere. */
function actorsFor({ path }: Operation): fc.Arbitrary<Actor> {
  const favourites: Actor[] = ['owner', 'owner', 'owner', 'owner', 'stranger', 'admin', 'anonymous'];
  if (/admin|audit/.test(path)) favourites.push('admin', 'admin', 'admin', 'admin', 'auditor');
  if (/support/.test(path)) favourites.push('support', 'support', 'support', 'admin');
  if (/create-profile/.test(path)) favourites.push(...Array<Actor>(8).fill('newcomer'));
  return fc.constantFrom(...favourites, ...ACTORS);
}

/** What the id in a path is of, as the name of a field that holds one: `/api/memory-tags/{id}` → `memoryTagId`. */
function idName(path: string, parameter: string): string {
  const before = path.slice(0, path.indexOf(`{${parameter}}`));
  const words = before.split('/').filter((part) => part !== '' && !part.startsWith('{') && part !== 'public');
  if (parameter !== 'id' && /id$/i.test(parameter)) return parameter;
  return parameter === 'id' ? `${words.at(-1)}Id` : parameter;
}
