import pg from 'pg';
import { formatSessionOptions } from '../src/platform/database-session.ts';

export interface SqlStatement {
  text: string;
  values: unknown[];
  /** Milliseconds until the answer, with the plan that the connection had. */
  took: number;
}

export interface QueryPlan {
  text: string;
  milliseconds: number | null;
  /** Pages of 8 kB accessed; null if the statement was not run. */
  buffers: number | null;
  nodes: string[];
  /** Full scans, writes to the disk, more than 50 ms. */
  problems: string[];
  /** Nodes with far more rows than expected. */
  wrongEstimates: string[];
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
  'Temp Written Blocks'?: number;
  Plans?: PlanNode[];
}

interface ExplainOutput {
  Plan: PlanNode;
  'Execution Time'?: number;
}

const LARGE_TABLE_ROWS = 10_000;

const MAX_MS = 50;

const MAX_ESTIMATE_FACTOR = 100;

export async function captureStatements(work: () => Promise<unknown>): Promise<SqlStatement[]> {
  const statements: SqlStatement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function captureQuery(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const { text, values } =
      typeof first === 'object' && first !== null
        ? { text: Reflect.get(first, 'text'), values: Reflect.get(first, 'values') ?? second }
        : { text: first, values: second };
    if (typeof text !== 'string' || !/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text))
      return Reflect.apply(original, this, args);
    const statement = { text, values: Array.isArray(values) ? values : [], took: 0 };
    statements.push(statement);
    const startedAt = performance.now();
    const stop = () => {
      statement.took = performance.now() - startedAt;
    };
    const callback = args.at(-1);
    if (typeof callback !== 'function') {
      const result = Reflect.apply(original, this, args);
      result.then(stop, stop);
      return result;
    }
    const stopAndCall = (...results: unknown[]) => {
      stop();
      Reflect.apply(callback, undefined, results);
    };
    return Reflect.apply(original, this, [...args.slice(0, -1), stopAndCall]);
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
  const client = new pg.Client({ connectionString: url, options: formatSessionOptions('application', '') });
  await client.connect();
  try {
    const ran = await explain(client, 'ANALYZE, BUFFERS,', statement).catch(() => null);
    const { Plan: root, 'Execution Time': milliseconds = null } =
      ran ?? (await explain(client, '', statement));
    const nodes = flattenNodes(root);
    const tableNodes = nodes.filter((node) => node['Relation Name']);
    return {
      text: statement.text.replace(/\s+/g, ' ').trim().replaceAll('"public".', '').slice(0, 110),
      milliseconds,
      buffers: ran ? (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0) : null,
      nodes: tableNodes.map(formatNode),
      problems: listProblems(root, nodes, statement.took),
      wrongEstimates: nodes
        .filter(isEstimateWrong)
        .map((node) => `${formatNode(node)} instead of ${node['Plan Rows']}`),
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

function listProblems(root: PlanNode, nodes: readonly PlanNode[], took: number): string[] {
  const diskPages = root['Temp Written Blocks'] ?? 0;
  return [
    ...nodes.filter(isFullScan).map((node) => `reads a large table whole: ${formatNode(node)}`),
    ...(diskPages > 0 ? [`writes ${diskPages} pages to the disk`] : []),
    ...(took > MAX_MS ? [`takes more than ${MAX_MS} ms`] : []),
  ];
}

/** Only of too few rows: below a LIMIT fewer are read than expected. */
function isEstimateWrong({ 'Plan Rows': planned, 'Actual Rows': actual = 0 }: PlanNode): boolean {
  return actual > LARGE_TABLE_ROWS && actual > MAX_ESTIMATE_FACTOR * planned;
}

function flattenNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flattenNodes)];
}

function formatNode(node: PlanNode): string {
  const rows = getNodeRows(node);
  const index = node['Index Name'] ? ` by ${node['Index Name']}` : '';
  return `${[node['Node Type'], node['Relation Name']].filter(Boolean).join(' ')}${index}, ${rows} rows`;
}

function isFullScan(node: PlanNode): boolean {
  const removedRows = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1);
  return node['Node Type'] === 'Seq Scan' && getNodeRows(node) + removedRows > LARGE_TABLE_ROWS;
}

function getNodeRows(node: PlanNode): number {
  return (node['Actual Rows'] ?? node['Plan Rows']) * (node['Actual Loops'] ?? 1);
}
