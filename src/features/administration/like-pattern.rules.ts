/** Create a LIKE pattern that matches a text anywhere, with its wildcards escaped. */
export function toLikePattern(search: string): string {
  return `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
