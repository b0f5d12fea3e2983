import type { ClientBase } from 'pg';
import { code, escapeText, formatDocument, formatTable } from './markdown.ts';

interface View {
  name: string;
  comment: string;
}
interface Column {
  view: string;
  name: string;
  type: string;
  comment: string;
}

const VIEWS_SQL = `
  SELECT relname AS name, coalesce(obj_description(oid, 'pg_class'), '') AS comment
  FROM pg_class WHERE relkind IN ('v', 'm') AND relnamespace = 'reporting'::regnamespace ORDER BY relname`;

const COLUMNS_SQL = `
  SELECT c.relname AS view, a.attname AS name, coalesce(col_description(c.oid, a.attnum), '') AS comment,
         regexp_replace(format_type(a.atttypid, a.atttypmod), 'timestamp(\\(\\d\\))? with time zone', 'timestamptz\\1') AS type
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('v', 'm') AND c.relnamespace = 'reporting'::regnamespace ORDER BY c.relname, a.attnum`;

const FUNCTIONS_SQL = `
  SELECT oid::regprocedure::text AS name, coalesce(obj_description(oid, 'pg_proc'), '') AS comment
  FROM pg_proc WHERE pronamespace = 'reporting'::regnamespace ORDER BY 1`;

/** View that a column of this name refers to. */
const TARGET_BY_COLUMN: Record<string, string> = {
  code_id: 'codes',
  owner_id: 'users',
  user_id: 'users',
  package_code: 'packages',
};

/** Format docs/reference/reporting.md: the reporting views, from the catalog of a migrated database. */
export async function formatReporting(client: ClientBase): Promise<string> {
  const { rows: views } = await client.query<View>(VIEWS_SQL);
  const { rows: columns } = await client.query<Column>(COLUMNS_SQL);
  const { rows: functions } = await client.query<View>(FUNCTIONS_SQL);
  const { rows } = await client.query('SELECT max(version) AS version FROM reporting.contract');
  const introduction = `Version ${rows[0]?.version} of the contract. [Write reports in SQL](../guides/reports.md) says who can read the views and how they change, and has example queries. The tables behind them are in [Database](database/README.md).`;
  const sections = views.map((view) => {
    const cells = columns
      .filter((column) => column.view === view.name)
      .map(({ name, type, comment }) => [code(name), type, comment]);
    return `## ${view.name}\n\n${escapeText(view.comment)}\n\n${formatTable(['column', 'type', 'meaning'], cells)}`;
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

function formatDiagram(views: View[], columns: Column[]): string {
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
