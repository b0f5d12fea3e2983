export type JsonObject = Record<string, unknown>;

/** Parse a JSON object; null for any other text. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

export function hasOnlyKeys(fields: JsonObject, names: readonly string[]): boolean {
  return Object.keys(fields).every((name) => names.includes(name));
}

export function isNonNegativeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
