import { isDeepStrictEqual } from 'node:util';

/** Pick the values of a change that are neither undefined nor those of the stored row. */
export function pickChanges<Change extends object>(row: object, change: Change): Partial<Change> {
  const entries = Object.entries(change).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, Reflect.get(row, name)),
  );
  return Object.fromEntries(entries) as Partial<Change>;
}
