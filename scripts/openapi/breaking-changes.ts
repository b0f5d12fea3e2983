import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject, type JsonObject } from '../../src/platform/openapi-object.ts';

type Direction = 'request' | 'response';

interface SchemaPair {
  before: unknown;
  after: unknown;
  location: string;
  direction: Direction;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Keywords of a request that become narrower by a smaller or by a greater number. */
const UPPER_LIMITS = ['maximum', 'maxItems', 'maxLength', 'maxProperties'];
const LOWER_LIMITS = ['minimum', 'minItems', 'minLength', 'minProperties'];

/**
 * Find what a client of the first document could not do with the second one, sorted. New operations, optional
 * parameters, fields and enum values of responses are no breaking changes.
 */
export function findBreakingChanges(before: JsonObject, after: JsonObject): string[] {
  const changes = new Set<string>();
  const compared = new Set<string>();
  const report = (location: string, change: string) => void changes.add(`${location}: ${change}`);

  for (const [path, item] of Object.entries(asObject(before.paths)))
    for (const method of METHODS.filter((name) => name in asObject(item))) {
      const name = `${method.toUpperCase()} ${path}`;
      const current = asObject(asObject(after.paths)[path])[method];
      if (current === undefined) report(name, 'removed');
      else compareOperations(asObject(asObject(item)[method]), asObject(current), name);
    }
  return [...changes].toSorted();

  function compareOperations(previous: JsonObject, current: JsonObject, name: string): void {
    if (previous.operationId !== current.operationId) report(`${name} operationId`, 'changed');
    compareParameters(previous, current, name);
    compareBodies(resolve(before, previous.requestBody), resolve(after, current.requestBody), name);
    for (const [status, response] of Object.entries(asObject(previous.responses))) {
      if (!/^[123]/.test(status)) continue;
      const counterpart = asObject(current.responses)[status];
      if (counterpart === undefined) report(`${name} ${status}`, 'removed');
      else
        compareContents(
          resolve(before, response),
          resolve(after, counterpart),
          `${name} ${status}`,
          'response',
        );
    }
  }

  function compareParameters(previous: JsonObject, current: JsonObject, name: string): void {
    const [old, now] = [listParameters(before, previous), listParameters(after, current)];
    for (const [key, parameter] of old) {
      const counterpart = now.get(key);
      const location = `${name} ${key}`;
      if (!counterpart) {
        report(location, 'removed');
        continue;
      }
      if (counterpart.required === true && parameter.required !== true) report(location, 'required');
      const pair = { before: parameter.schema, after: counterpart.schema };
      compareSchemas({ ...pair, location, direction: 'request' });
    }
    for (const [key, parameter] of now)
      if (!old.has(key) && parameter.required === true) report(`${name} ${key}`, 'required');
  }

  function compareBodies(previous: JsonObject, current: JsonObject, name: string): void {
    if (current.required === true && previous.required !== true) report(`${name} body`, 'required');
    compareContents(previous, current, `${name} body`, 'request');
  }

  function compareContents(
    previous: JsonObject,
    current: JsonObject,
    location: string,
    direction: Direction,
  ): void {
    for (const [type, media] of Object.entries(asObject(previous.content))) {
      const counterpart = asObject(current.content)[type];
      if (counterpart === undefined) report(`${location} ${type}`, 'removed');
      else {
        const pair = { before: asObject(media).schema, after: asObject(counterpart).schema };
        compareSchemas({ ...pair, location, direction });
      }
    }
  }

  function compareSchemas(pair: SchemaPair): void {
    const [oldName, newName] = [getReferenceName(pair.before), getReferenceName(pair.after)];
    const { direction } = pair;
    // A named schema is compared once, and its changes are reported under its name.
    const location = oldName === null ? pair.location : `${oldName} (${direction})`;
    if (oldName !== null || newName !== null) {
      const key = `${oldName ?? pair.location} ${newName} ${direction}`;
      if (compared.has(key)) return;
      compared.add(key);
    }
    const [old, now] = [flatten(before, pair.before), flatten(after, pair.after)];
    compareTypes(old, now, location, direction);
    compareEnums(old, now, location, direction);
    if (direction === 'request') compareLimits(old, now, location);
    compareProperties(old, now, location, direction);
    for (const [keyword, suffix] of [
      ['items', '[]'],
      ['additionalProperties', '.*'],
    ] as const)
      if (typeof old[keyword] === 'object' && typeof now[keyword] === 'object')
        compareSchemas({
          before: old[keyword],
          after: now[keyword],
          location: location + suffix,
          direction,
        });
    compareVariants(old, now, location, direction);
  }

  function compareTypes(old: JsonObject, now: JsonObject, location: string, direction: Direction): void {
    const [accepted, produced] = direction === 'request' ? [now, old] : [old, now];
    if (accepted.type === undefined) return;
    const types = listTypes(accepted);
    const isCovered = (type: unknown) =>
      types.includes(type) || (type === 'integer' && types.includes('number'));
    if (produced.type === undefined || !listTypes(produced).every(isCovered))
      report(location, `type ${format(old.type)} became ${format(now.type)}`);
  }

  function compareEnums(old: JsonObject, now: JsonObject, location: string, direction: Direction): void {
    const [values, remaining] = [listValues(old), listValues(now)];
    if (values && remaining)
      for (const value of values)
        if (!remaining.includes(value)) report(location, `value ${format(value)} removed`);
    if (direction === 'request' && !values && remaining) report(location, 'limited to fixed values');
  }

  function compareLimits(old: JsonObject, now: JsonObject, location: string): void {
    const isNarrower = (keyword: string, sign: 1 | -1) => {
      const [previous, current] = [old[keyword], now[keyword]];
      return typeof current === 'number' && (typeof previous !== 'number' || sign * (current - previous) < 0);
    };
    for (const keyword of UPPER_LIMITS) if (isNarrower(keyword, 1)) report(location, `${keyword} is smaller`);
    for (const keyword of LOWER_LIMITS)
      if (isNarrower(keyword, -1)) report(location, `${keyword} is greater`);
    for (const keyword of ['pattern', 'format'])
      if (now[keyword] !== undefined && now[keyword] !== old[keyword]) report(location, `other ${keyword}`);
  }

  function compareProperties(old: JsonObject, now: JsonObject, location: string, direction: Direction): void {
    const [previous, current] = [asObject(old.properties), asObject(now.properties)];
    for (const [name, schema] of Object.entries(previous)) {
      const field = `${location}.${name}`;
      if (!(name in current)) report(field, 'removed');
      else compareSchemas({ before: schema, after: current[name], location: field, direction });
    }
    const [oldRequired, nowRequired] = [asArray(old.required), asArray(now.required)];
    if (direction === 'request') {
      for (const name of nowRequired)
        if (!oldRequired.includes(name)) report(`${location}.${String(name)}`, 'required');
    } else
      for (const name of oldRequired)
        if (String(name) in current && !nowRequired.includes(name))
          report(`${location}.${String(name)}`, 'not always sent');
  }

  function compareVariants(old: JsonObject, now: JsonObject, location: string, direction: Direction): void {
    for (const keyword of ['oneOf', 'anyOf']) {
      const variants = asArray(now[keyword]);
      if (now[keyword] === undefined) continue;
      for (const variant of asArray(old[keyword])) {
        const name = getReferenceName(variant);
        const counterpart = variants.find((one) =>
          name === null ? isDeepStrictEqual(one, variant) : getReferenceName(one) === name,
        );
        if (counterpart === undefined) report(location, `variant ${name ?? format(variant)} removed`);
        else compareSchemas({ before: variant, after: counterpart, location, direction });
      }
    }
  }
}

/** Parameters by place and name; those of the path have a place instead of a name for clients. */
function listParameters(document: JsonObject, operation: JsonObject): Map<string, JsonObject> {
  const parameters = asArray(operation.parameters).map((parameter) => resolve(document, parameter));
  return new Map(
    parameters
      .filter((parameter) => parameter.in !== 'path')
      .map((parameter) => [formatParameterKey(parameter), parameter]),
  );
}

/** Names of headers have no case. */
function formatParameterKey({ in: place, name }: JsonObject): string {
  return `${place} ${place === 'header' ? String(name).toLowerCase() : name}`;
}

function listTypes({ type }: JsonObject): unknown[] {
  return Array.isArray(type) ? type : [type];
}

function listValues(schema: JsonObject): unknown[] | null {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

function getReferenceName(schema: unknown): string | null {
  const { $ref } = asObject(schema);
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;
}

/** Follow a reference; what stands beside it wins. */
function resolve(document: JsonObject, value: unknown): JsonObject {
  const { $ref, ...siblings } = asObject(value);
  if (typeof $ref !== 'string') return asObject(value);
  const keys = $ref.replace(/^#\//, '').split('/');
  const target = keys.reduce<unknown>((part, key) => asObject(part)[key], document);
  return { ...resolve(document, target), ...siblings };
}

/** Follow the reference of a schema, and merge the schemas that it extends. */
function flatten(document: JsonObject, schema: unknown): JsonObject {
  const { allOf, ...own } = resolve(document, schema);
  if (allOf === undefined) return own;
  const parts = [...asArray(allOf).map((part) => flatten(document, part)), own];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => asArray(required)),
  };
}

function format(value: unknown): string {
  return value === undefined ? 'any' : JSON.stringify(value);
}
