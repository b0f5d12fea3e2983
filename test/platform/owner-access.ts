import type { Database } from '../../src/platform/database.ts';
import type { SqlStatement } from './capture-statements.ts';
import { TABLE_DISTRIBUTION } from './table-distribution.ts';

const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
] as const;

interface PlanNode extends Partial<Record<(typeof CONDITIONS)[number], string>> {
  'Node Type': string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  Schema?: string;
  Alias?: string;
  Output?: string[];
  Operation?: string;
  'Conflict Arbiter Indexes'?: string[];
  Plans?: PlanNode[];
}

/**
 * Find what statements do with tables of owners without comparing the owner with a value, by their plans. What triggers
 * and foreign keys run is in no plan.
 */
export async function findAccessesWithoutOwner(
  database: Pick<Database, 'pool'>,
  statements: readonly SqlStatement[],
): Promise<string[]> {
  const columnsByIndex = await findUniqueIndexColumns(database);
  const accesses = new Set<string>();
  for (const { text, values } of statements) {
    const { rows } = await database.pool.query(`EXPLAIN (VERBOSE, FORMAT JSON) ${text}`, values);
    const plan = rows[0]['QUERY PLAN'][0].Plan;
    const hashed = new Set(JSON.stringify(plan).match(/(?<=hashed )SubPlan \d+/g));
    visit(plan, []);

    function visit(node: PlanNode, joins: readonly string[]): void {
      const conditions = [...joins, ...CONDITIONS.flatMap((name) => node[name] ?? [])];
      // What a hashed subquery returns is compared with a value of each row.
      if (hashed.has(node['Subplan Name'] ?? ''))
        conditions.push(...(node.Output ?? []).map((column) => `(${column} = )`));
      const problem = findProblem(node, conditions);
      if (problem) accesses.add(problem);
      for (const part of node.Plans ?? []) visit(part, conditions);
    }
  }
  return [...accesses].sort();

  function findProblem(node: PlanNode, conditions: readonly string[]): string | undefined {
    const table = getTableName(node);
    const distribution = TABLE_DISTRIBUTION[table];
    if (distribution?.by !== 'OWNER') return undefined;
    const { column } = distribution;
    if (column === null) return `${table}: no column of the owner`;
    if (node.Operation === undefined)
      return conditions.some((condition) => comparesColumn(condition, `${node.Alias}.${column}`))
        ? undefined
        : `${table}: read without the owner`;
    const arbiters = node['Conflict Arbiter Indexes'] ?? [];
    return arbiters.every((name) => columnsByIndex.get(name)?.includes(column))
      ? undefined
      : `${table}: conflict on a key without the owner`;
  }
}

function getTableName({ Schema, 'Relation Name': name = '' }: PlanNode): string {
  return Schema === 'partitions' ? name.replace(/_(before_)?\d{4}_\d{2}$/, '') : name;
}

function comparesColumn(condition: string, name: string): boolean {
  return condition.includes(`(${name} = `) || condition.includes(`= ${name})`);
}

async function findUniqueIndexColumns({ pool }: Pick<Database, 'pool'>): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(
    `SELECT indexrelid::regclass::text AS name, array_agg(attname::text) AS columns
     FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
     WHERE indisunique GROUP BY indexrelid`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
