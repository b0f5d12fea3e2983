import { type ApiDocument, type Operation, type Schema, toObject } from './document.ts';

/** Values at and beyond the limits of the schemas, by field name. */
export type BoundaryValues = Map<string, unknown[]>;

export function collectBoundaryValues(document: ApiDocument, operation: Operation): BoundaryValues {
  const bounds: BoundaryValues = new Map();
  const seen = new Set<Schema>();
  for (const schema of Object.values(operation.bodies)) collectBounds(document, schema, 'body', bounds, seen);
  for (const { name, schema } of operation.parameters) collectBounds(document, schema, name, bounds, seen);
  return bounds;
}

function collectBounds(
  document: ApiDocument,
  given: Schema,
  name: string,
  bounds: BoundaryValues,
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
  for (const [key, inner] of Object.entries(toObject(schema.properties)))
    collectBounds(document, toObject(inner), key, bounds, seen);
  for (const inner of [schema.oneOf, schema.anyOf, schema.allOf].flat())
    if (inner) collectBounds(document, toObject(inner), name, bounds, seen);
  if (schema.items) collectBounds(document, toObject(schema.items), name, bounds, seen);
}
