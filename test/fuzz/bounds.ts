import { type ApiDocument, type Operation, type Schema, toObject } from './document.ts';

/** Values at and beyond the limits of the schemas, by field name. */
export type BoundaryValues = Map<string, unknown[]>;

export function collectBoundaryValues(document: ApiDocument, operation: Operation): BoundaryValues {
  const bounds: BoundaryValues = new Map();
  const visited = new Set<Schema>();
  for (const schema of Object.values(operation.bodies))
    collectBounds(document, schema, 'body', bounds, visited);
  for (const { name, schema } of operation.parameters) collectBounds(document, schema, name, bounds, visited);
  return bounds;
}

function collectBounds(
  document: ApiDocument,
  input: Schema,
  name: string,
  bounds: BoundaryValues,
  visited: Set<Schema>,
): void {
  const schema = document.resolve(input);
  if (visited.has(schema)) return;
  visited.add(schema);
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const outOfBounds: unknown[] = [];
  if (typeof minLength === 'number' && minLength > 0)
    outOfBounds.push('a'.repeat(minLength - 1), 'a'.repeat(minLength));
  if (typeof maxLength === 'number')
    outOfBounds.push('a'.repeat(maxLength + 1), 'a'.repeat(maxLength), '𝒂'.repeat(maxLength));
  if (typeof minimum === 'number') outOfBounds.push(minimum - 1, minimum, minimum - 1e-9);
  if (typeof maximum === 'number') outOfBounds.push(maximum + 1, maximum, maximum + 1e-9);
  if (typeof minItems === 'number' && minItems > 0) outOfBounds.push(Array(minItems - 1).fill('a'));
  if (typeof maxItems === 'number')
    outOfBounds.push(Array(maxItems + 1).fill('a'), Array(maxItems).fill('a'));
  if (outOfBounds.length > 0) bounds.set(name, [...(bounds.get(name) ?? []), ...outOfBounds]);
  for (const [key, inner] of Object.entries(toObject(schema.properties)))
    collectBounds(document, toObject(inner), key, bounds, visited);
  for (const inner of [schema.oneOf, schema.anyOf, schema.allOf].flat())
    if (inner) collectBounds(document, toObject(inner), name, bounds, visited);
  if (schema.items) collectBounds(document, toObject(schema.items), name, bounds, visited);
}
