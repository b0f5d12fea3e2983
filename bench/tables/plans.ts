import pg from 'pg';
import { formatSessionOptions } from '../../src/platform/database-session.ts';
import type { SqlStatement } from '../../test/platform/capture-statements.ts';

export interface QueryPlan {
  text: string;
  milliseconds: number | null;
  /** Pages of 8 kB accessed; null if the statement was not run. */
  buffers: number | null;
  nodes: string[];
  /** Full scans, and writes to the disk. */
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

export const MAX_STATEMENT_MS = 50;

const MAX_ESTIMATE_FACTOR = 100;

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
      problems: listProblems(root, nodes),
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

function listProblems(root: PlanNode, nodes: readonly PlanNode[]): string[] {
  const diskPages = root['Temp Written Blocks'] ?? 0;
  return [
    ...nodes.filter(isFullScan).map((node) => `reads a large table whole: ${formatNode(node)}`),
    ...(diskPages > 0 ? [`writes ${diskPages} pages to the disk`] : []),
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
