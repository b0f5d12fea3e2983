import type { ClientBase } from 'pg';

interface Table {
  name: string;
  comment: string;
}
interface Column {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  default: string | null;
  comment: string;
}
interface Constraint {
  table: string;
  kind: 'p' | 'u' | 'f' | 'c';
  name: string;
  columns: string[];
  target: string | null;
  definition: string;
  comment: string;
}
interface Index {
  table: string;
  name: string;
  definition: string;
  comment: string;
}

const OWN_TABLES_CONDITION = `c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`;

const TABLES_SQL = `
  SELECT c.relname AS name, coalesce(obj_description(c.oid, 'pg_class'), '') AS comment
  FROM pg_class AS c WHERE c.relkind IN ('r', 'p') AND ${OWN_TABLES_CONDITION} ORDER BY c.relname`;

const COLUMNS_SQL = `
  SELECT c.relname AS "table", a.attname AS name, 
         replace(format_type(a.atttypid, a.atttypmod), 'timestamp(3) with time zone', 'timestamptz(3)') AS type,
         NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS default,
         coalesce(col_description(c.oid, a.attnum), '') AS comment
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relkind IN ('r', 'p') AND ${OWN_TABLES_CONDITION} ORDER BY c.relname, a.attnum`;

const CONSTRAINTS_SQL = `
  SELECT c.relname AS "table", k.contype AS kind, k.conname AS name, f.relname AS target,
         ARRAY(SELECT a.attname::text FROM pg_attribute AS a
               WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey) ORDER BY a.attnum) AS columns,
         pg_get_constraintdef(k.oid) AS definition, coalesce(obj_description(k.oid, 'pg_constraint'), '') AS comment
  FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid LEFT JOIN pg_class AS f ON f.oid = k.confrelid
  WHERE k.contype IN ('p', 'u', 'f', 'c') AND ${OWN_TABLES_CONDITION}
  ORDER BY c.relname, array_position('{p,u,f,c}'::text[], k.contype::text), k.conname`;

const INDEXES_SQL = `
  SELECT c.relname AS "table", i.relname AS name, pg_get_indexdef(i.oid) AS definition,
         coalesce(obj_description(i.oid, 'pg_class'), '') AS comment
  FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS c ON c.oid = x.indrelid
  WHERE NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u')) AND ${OWN_TABLES_CONDITION}
  ORDER BY c.relname, i.relname`;

/** The tables of the service as a Markdown document: a diagram, then each table; made from the catalogue. */
export async function createDatabaseDocument(client: ClientBase): Promise<string> {
  const { rows: tables } = await client.query<Table>(TABLES_SQL);
  const { rows: columns } = await client.query<Column>(COLUMNS_SQL);
  const { rows: constraints } = await client.query<Constraint>(CONSTRAINTS_SQL);
  const { rows: indexes } = await client.query<Index>(INDEXES_SQL);
  const sections = tables.map((table) =>
    renderTableSection(
      table,
      columns.filter((column) => column.table === table.name),
      constraints.filter((constraint) => constraint.table === table.name),
      indexes.filter((index) => index.table === table.name),
    ),
  );
  const head = '# The database\n\nMade by `npm run db:docs` from a migrated database; do not edit.';
  return `${[head, renderDiagram(tables, columns, constraints), ...sections].join('\n\n')}\n`;
}

function renderDiagram(tables: Table[], columns: Column[], constraints: Constraint[]): string {
  const keys = (table: string, kind: Constraint['kind']) =>
    new Set(constraints.filter((k) => k.table === table && k.kind === kind).flatMap((k) => k.columns));
  const boxes = tables.flatMap(({ name }) => {
    const primary = keys(name, 'p');
    const foreign = keys(name, 'f');
    const shown = columns.filter((column) => column.table === name);
    const lines = shown.map((column) => {
      const marks = [primary.has(column.name) && 'PK', foreign.has(column.name) && 'FK'].filter(Boolean);
      return `    ${column.type.replace('[]', '_array').replace(/\W.*$/, '')} ${column.name} ${marks.join(', ')}`.trimEnd();
    });
    return [`  ${name} {`, ...lines, '  }'];
  });
  const lines = constraints
    .filter(({ kind }) => kind === 'f')
    .map((key) => {
      const isKey = key.columns.every((name) => keys(key.table, 'p').has(name));
      const mayBeNull = columns.some(
        ({ table, name, nullable }) => table === key.table && key.columns.includes(name) && nullable,
      );
      const many = isKey && keys(key.table, 'p').size === key.columns.length ? 'o|' : 'o{';
      return `  ${key.target} ${mayBeNull ? '|o' : '||'}--${many} ${key.table} : ${key.columns.join('_')}`;
    });
  return ['```mermaid', 'erDiagram', ...lines, ...boxes, '```'].join('\n');
}

function renderTableSection(
  table: Table,
  columns: Column[],
  constraints: Constraint[],
  indexes: Index[],
): string {
  const rows = columns.map(({ name, type, nullable, default: value, comment }) => [
    `\`${name}\``,
    `${type}${nullable ? ', null' : ''}`,
    value === null ? '' : `\`${value.replaceAll('\n', '\\n')}\``,
    comment,
  ]);
  const listed = [
    // What a key says is in its definition already.
    ...constraints.map(
      ({ kind, name, definition, comment }) =>
        `- \`${name}\`: \`${definition}\`${kind === 'c' && comment ? `. ${comment}` : ''}`,
    ),
    ...indexes.map(({ name, definition, comment }) => {
      const what = definition.replace(/^CREATE (UNIQUE )?INDEX \S+ ON \S+ USING /, '$1');
      return `- \`${name}\`: index, \`${what}\`${comment ? `. ${comment}` : ''}`;
    }),
  ];
  return [
    `## ${table.name}`,
    table.comment,
    formatMarkdownTable(['column', 'type', 'default', 'meaning'], rows),
    listed.join('\n'),
  ].join('\n\n');
}

/** A Markdown table; cells may hold `|`. */
export function formatMarkdownTable(head: string[], rows: string[][]): string {
  const escaped = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [escaped(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(escaped)].join('\n');
}
