import type pg from 'pg';
import type { Database } from '../../src/platform/database.ts';
import type { SqlStatement } from './capture-statements.ts';
import { findComparedColumns, getTableAlias, type PlanNode } from './plan-conditions.ts';
import { TABLE_DISTRIBUTION } from './table-distribution.ts';

/**
 * Find what statements do with tables of owners without comparing the owner with a value, by their plans. What triggers
 * and foreign keys run is in no plan.
 */
export async function findAccessesWithoutOwner(
  database: Pick<Database, 'pool'>,
  statements: readonly SqlStatement[],
): Promise<string[]> {
  const columnsByIndex = await findUniqueIndexColumns(database.pool);
  const accesses = new Set<string>();
  for (const { text, values } of statements) {
    const { rows } = await database.pool.query(`EXPLAIN (VERBOSE, FORMAT JSON) ${text}`, values);
    const plan = rows[0]['QUERY PLAN'][0].Plan;
    const compared = findComparedColumns(plan);
    for (const access of listAccessesWithoutOwner(plan, compared, columnsByIndex, getOwnerColumn))
      accesses.add(access);
  }
  return [...accesses].sort();
}

/** List what a plan does with tables whose column of the owner is not among the columns; it is undefined for others. */
export function listAccessesWithoutOwner(
  plan: PlanNode,
  columns: ReadonlySet<string>,
  columnsByIndex: ReadonlyMap<string, readonly string[]>,
  getColumn: (table: string) => string | null | undefined,
): string[] {
  return listNodes(plan).flatMap((node) => findProblem(node) ?? []);

  function findProblem(node: PlanNode): string | undefined {
    const table = getTableName(node);
    const column = getColumn(table);
    if (column === undefined) return undefined;
    if (column === null) return `${table}: no column of the owner`;
    if (node.Operation === undefined)
      return columns.has(`${node.Alias}.${column}`) || columns.has(`${getTableAlias(node)}.${column}`)
        ? undefined
        : `${table}: read without the owner`;
    const arbiters = node['Conflict Arbiter Indexes'] ?? [];
    return arbiters.every((name) => columnsByIndex.get(name)?.includes(column))
      ? undefined
      : `${table}: conflict on a key without the owner`;
  }
}

/** The tables that a plan reads or writes. */
export function listTables(plan: PlanNode): string[] {
  return listNodes(plan).map(getTableName);
}

function listNodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listNodes)];
}

function getOwnerColumn(table: string): string | null | undefined {
  const distribution = TABLE_DISTRIBUTION[table];
  return distribution?.by === 'OWNER' ? distribution.column : undefined;
}

function getTableName({ Schema, 'Relation Name': name = '' }: PlanNode): string {
  return Schema === 'partitions' ? name.replace(/_(before_)?\d{4}_\d{2}$/, '') : name;
}

/** The columns of each unique index, by its name. */
export async function findUniqueIndexColumns(
  connection: Pick<pg.ClientBase, 'query'>,
): Promise<Map<string, string[]>> {
  const { rows } = await connection.query<{ name: string; columns: string[] }>(
    `SELECT indexrelid::regclass::text AS name, array_agg(attname::text) AS columns
     FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
     WHERE indisunique GROUP BY indexrelid`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
