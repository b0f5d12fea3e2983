export type JsonObject = Record<string, unknown>;

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function getOpenApiOperations(document: JsonObject): JsonObject[] {
  return Object.values(asObject(document.paths)).flatMap((path) =>
    Object.values(asObject(path)).map(asObject),
  );
}
