import fc from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import { createHostileChanges } from './hostile.ts';
import { createNearlyValidChanges } from './nearly-valid.ts';
import { ACTORS, type Actor, type PlanChange, type RequestBody, type RequestPlan } from './request-plan.ts';
import { createPickArbitrary, createValueArbitrary } from './schema-arbitraries.ts';

/** Create requests to an operation: valid, nearly valid and hostile in equal parts. */
export function createPlanArbitrary(document: ApiDocument, operation: Operation): fc.Arbitrary<RequestPlan> {
  const valid = createValidPlanArbitrary(document, operation);
  const nearly = createChangedPlanArbitrary(
    valid,
    operation,
    'nearly valid',
    createNearlyValidChanges(document, operation),
  );
  const hostile = createChangedPlanArbitrary(valid, operation, 'hostile', createHostileChanges());
  return fc.oneof(valid, nearly, hostile);
}

function createChangedPlanArbitrary(
  plans: fc.Arbitrary<RequestPlan>,
  operation: Operation,
  kind: RequestPlan['kind'],
  changes: readonly PlanChange[],
): fc.Arbitrary<RequestPlan> {
  const changeChoice = fc.constantFrom(...changes);
  return fc
    .tuple(plans, changeChoice, fc.nat({ max: 2 ** 20 }), fc.constantFrom(...changes))
    .map(([plan, change, nth, other]) => {
      for (const { name, apply } of [change, other]) {
        const changed = apply(structuredClone(plan), nth, operation);
        if (changed) return { ...changed, kind, change: name };
      }
      return plan;
    });
}

export function createValidPlanArbitrary(
  document: ApiDocument,
  operation: Operation,
): fc.Arbitrary<RequestPlan> {
  const values = operation.parameters.map(({ name, in: location, schema, required }) => {
    const folder = location === 'path' ? /^\/uploads\/([^/]+)\//.exec(operation.path)?.[1] : undefined;
    // A random version would be refused before the rest is looked at.
    const arbitrary =
      name === 'If-Match'
        ? fc.constantFrom('*', '*', '"1"')
        : folder
          ? createPickArbitrary('file', folder)
          : createValueArbitrary(
              document,
              schema,
              location === 'path' ? getIdFieldName(operation.path, name) : name,
            );
    // Many parameters at once would rarely be allowed together.
    const optional = fc.option(arbitrary, { nil: undefined, freq: location === 'query' ? 1 : 3 });
    // Nearly always another account, which is not found before the rest is looked at.
    const account = fc.oneof({ arbitrary, weight: 1 }, { arbitrary: fc.constant(undefined), weight: 9 });
    return [
      `${location} ${name}`,
      required ? arbitrary : name === 'Account-Id' ? account : optional,
    ] as const;
  });
  const bodies = Object.entries(operation.bodies).map(([type, schema]) =>
    createValueArbitrary(document, schema, 'body').map((value): RequestBody => ({ type, value })),
  );
  const examples = Object.values(operation.examples);
  if (examples.length > 0)
    bodies.push(
      fc.constantFrom(...examples).map((value): RequestBody => ({ type: 'application/json', value })),
    );
  return fc
    .record({
      as: createActorArbitrary(operation),
      values: fc.record(Object.fromEntries(values)),
      body: bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(undefined),
    })
    .map(({ as: actor, values, body }) => {
      const plan: RequestPlan = {
        operation: operation.id,
        kind: 'valid',
        change: '',
        actor,
        method: operation.method,
        template: operation.path,
        path: {},
        query: [],
        headers: [],
      };
      for (const [location, value] of Object.entries(values)) {
        const [where = '', name = ''] = location.split(' ');
        if (value === undefined) continue;
        if (where === 'path') plan.path[name] = value;
        else if (where === 'query') plan.query.push([name, value]);
        else plan.headers.push([name, value]);
      }
      if (body) plan.body = body;
      return plan;
    });
}

function createActorArbitrary({ path }: Operation): fc.Arbitrary<Actor> {
  const favourites: Actor[] = ['owner', 'owner', 'owner', 'owner', 'stranger', 'admin', 'anonymous'];
  if (/admin|audit/.test(path)) favourites.push('admin', 'admin', 'admin', 'admin', 'auditor');
  if (/support/.test(path)) favourites.push('support', 'support', 'support', 'admin');
  if (/create-profile/.test(path)) favourites.push(...Array<Actor>(8).fill('newcomer'));
  return fc.constantFrom(...favourites, ...ACTORS);
}

/** Other tables have names that end like those of these records. */
const SPECIFIC_ID_FIELDS: Readonly<Record<string, string>> = {
  entryId: 'guestBookEntryId',
  grantId: 'documentGrantId',
};

/** Get the record type of an id in a path as the name of its field: `/api/memory-tags/{id}` → `memoryTagId`. */
function getIdFieldName(path: string, parameter: string): string {
  const before = path.slice(0, path.indexOf(`{${parameter}}`));
  const segments = before
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{') && part !== 'public');
  const specific = SPECIFIC_ID_FIELDS[parameter];
  if (specific !== undefined) return specific;
  if (parameter !== 'id' && /id$/i.test(parameter)) return parameter;
  return parameter === 'id' ? `${segments.at(-1)}Id` : parameter;
}
