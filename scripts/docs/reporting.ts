import type { ClientBase } from 'pg';
import { code, escapeText, formatDocument, formatTable } from './markdown.ts';
import {
  listReportingColumns,
  listReportingViews,
  type ReportingColumn,
  type ReportingView,
} from './reporting-catalog.ts';
import { REPORTING_VIEW_KEYS } from './reporting-keys.ts';

const FUNCTIONS_SQL = `
  SELECT oid::regprocedure::text AS name, coalesce(obj_description(oid, 'pg_proc'), '') AS comment
  FROM pg_proc WHERE pronamespace = 'reporting'::regnamespace ORDER BY 1`;

/** View that a column of this name refers to. */
const TARGET_BY_COLUMN: Record<string, string> = {
  code_id: 'codes',
  document_id: 'documents',
  account_id: 'accounts',
  user_id: 'users',
  endpoint_id: 'webhook_endpoints',
  package_code: 'packages',
  previous_package_code: 'packages',
};

/** Format docs/reference/reporting.md: the reporting views, from the catalog of a migrated database. */
export async function formatReporting(client: ClientBase): Promise<string> {
  const views = await listReportingViews(client);
  const columns = await listReportingColumns(client);
  const { rows: functions } = await client.query<ReportingView>(FUNCTIONS_SQL);
  const { rows } = await client.query('SELECT max(version) AS version FROM reporting.contract');
  const introduction = `Version ${rows[0]?.version} of the contract. [Write reports in SQL](../guides/reports.md) says who can read the views and how they change, and has example queries. The documentation site has the tables behind them, under Database: \`npm run docs:site\`.`;
  const sections = views.map((view) => {
    const cells = columns
      .filter((column) => column.view === view.name)
      .map(({ name, type, comment }) => [code(name), type, comment]);
    const table = formatTable(['column', 'type', 'meaning'], cells);
    return [`## ${view.name}`, escapeText(view.comment), formatKey(view.name), table].join('\n\n');
  });
  const list = functions.map(({ name, comment }) => `- ${code(name)}: ${escapeText(comment)}`).join('\n');
  return formatDocument(
    'Reporting views',
    introduction,
    formatDiagram(views, columns),
    ...sections,
    '## Functions',
    list,
  );
}

function formatKey(view: string): string {
  const key = REPORTING_VIEW_KEYS[view] ?? [];
  return key.length === 0 ? 'It has one row.' : `Unique key: ${key.map(code).join(', ')}.`;
}

function formatDiagram(views: ReportingView[], columns: ReportingColumn[]): string {
  const lines = columns.flatMap(({ view, name }) => {
    const target = TARGET_BY_COLUMN[name];
    return target ? [`  ${target} ||--o{ ${view} : ${name}`] : [];
  });
  const boxes = views.flatMap(({ name: view }) => {
    const own = columns.filter((column) => column.view === view);
    const diagramLines = own.map(({ name, type }) => {
      const suffix = TARGET_BY_COLUMN[name] ? ' FK' : '';
      return `    ${type.replace('[]', '_array').replace(/\W.*$/, '')} ${name}${suffix}`;
    });
    return [`  ${view} {`, ...diagramLines, '  }'];
  });
  return ['```mermaid', 'erDiagram', ...lines, ...boxes, '```'].join('\n');
}
