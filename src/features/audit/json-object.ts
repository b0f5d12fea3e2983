/** The fields of a JSON object, whatever they hold. */
export type JsonObject = Record<string, unknown>;

/** The object that a text is as JSON; null where it is none. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** Whether there is no field of another name. */
export function hasOnlyKeys(fields: JsonObject, names: readonly string[]): boolean {
  return Object.keys(fields).every((name) => names.includes(name));
}

/** Whether a value can be a place in the chain, or a count. */
export function isSequenceNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
