/** Whether a table has an own entry of this name: `toString` and `__proto__` are names of none. */
export function isKeyOf<Table extends object>(table: Table, name: unknown): name is keyof Table & string {
  return typeof name === 'string' && Object.hasOwn(table, name);
}
