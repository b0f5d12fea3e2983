import fc from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import { picks, valuesOf } from './from-schema.ts';
import { hostileChanges } from './hostile.ts';
import { nearlyValidChanges } from './nearly-valid.ts';
import { ACTORS, type Actor, type Body, type Change, type Plan } from './plan.ts';

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

/** Requests that are as the document wants them. */
export function validPlans(document: ApiDocument, operation: Operation): fc.Arbitrary<Plan> {
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
