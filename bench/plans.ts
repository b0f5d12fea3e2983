import pg from 'pg';

export interface SqlStatement {
  text: string;
  values: unknown[];
}

export interface QueryPlan {
  text: string;
  milliseconds: number | null;
  /** Pages of 8 kB accessed; null if the statement was not run. */
  buffers: number | null;
  nodes: string[];
  /** Tables over 10,000 rows with a sequential scan. */
  hasFullScan: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Plan Rows': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

interface ExplainOutput {
  Plan: PlanNode;
  'Execution Time'?: number;
}

const LARGE_TABLE_ROWS = 10_000;

export async function captureStatements(work: () => Promise<void>): Promise<SqlStatement[]> {
  const statements: SqlStatement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function captureQuery(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const { text, values } =
      typeof first === 'object' && first !== null
        ? { text: Reflect.get(first, 'text'), values: Reflect.get(first, 'values') ?? second }
        : { text: first, values: second };
    if (typeof text === 'string' && /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text))
      statements.push({ text, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(original, this, args);
  };
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return statements;
}

/** Explain a statement by running it in a transaction that is rolled back; a duplicate INSERT is only estimated. */
export async function explainStatement(url: string, statement: SqlStatement): Promise<QueryPlan> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const ran = await explain(client, 'ANALYZE, BUFFERS,', statement).catch(() => null);
    const { Plan: root, 'Execution Time': milliseconds = null } =
      ran ?? (await explain(client, '', statement));
    const nodes = flattenNodes(root).filter((node) => node['Relation Name']);
    return {
      text: statement.text.replace(/\s+/g, ' ').trim().replaceAll('"public".', '').slice(0, 110),
      milliseconds,
      buffers: ran ? (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0) : null,
      nodes: nodes.map(formatNode),
      hasFullScan: nodes.filter(isFullScan).map((node) => node['Relation Name'] ?? ''),
    };
  } finally {
    await client.end();
  }
}

async function explain(
  client: pg.Client,
  options: string,
  { text, values }: SqlStatement,
): Promise<ExplainOutput> {
  await client.query('BEGIN');
  try {
    const { rows } = await client.query(`EXPLAIN (${options} FORMAT JSON) ${text}`, values);
    return rows[0]['QUERY PLAN'][0];
  } finally {
    await client.query('ROLLBACK');
  }
}

function flattenNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flattenNodes)];
}

function formatNode(node: PlanNode): string {
  const rows = getNodeRows(node);
  const index = node['Index Name'] ? ` by ${node['Index Name']}` : '';
  return `${node['Node Type']} ${node['Relation Name']}${index}, ${rows} rows`;
}

function isFullScan(node: PlanNode): boolean {
  const removedRows = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1);
  return node['Node Type'] === 'Seq Scan' && getNodeRows(node) + removedRows > LARGE_TABLE_ROWS;
}

function getNodeRows(node: PlanNode): number {
  return (node['Actual Rows'] ?? node['Plan Rows']) * (node['Actual Loops'] ?? 1);
}
