import type { ClientBase } from 'pg';

export interface ReportingView {
  name: string;
  comment: string;
}

export interface ReportingColumn {
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

/** List the reporting views with their comments. */
export async function listReportingViews(client: ClientBase): Promise<ReportingView[]> {
  return (await client.query<ReportingView>(VIEWS_SQL)).rows;
}

/** List the columns of the reporting views with their comments. */
export async function listReportingColumns(client: ClientBase): Promise<ReportingColumn[]> {
  return (await client.query<ReportingColumn>(COLUMNS_SQL)).rows;
}
