/** The LIKE pattern that finds a text anywhere, its own wildcards taken as they are. */
export function toLikePattern(search: string): string {
  return `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
