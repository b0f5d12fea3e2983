import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ClientBase } from 'pg';
import { code, escapeText, formatDocument, formatTable } from './markdown.ts';

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

interface Schema {
  tables: Table[];
  columns: Column[];
  constraints: Constraint[];
  indexes: Index[];
}

const SCHEMA_FOLDER = 'prisma/schema';

const OWN_TABLES = `c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`;

const TABLES = `
  SELECT c.relname AS name, coalesce(obj_description(c.oid, 'pg_class'), '') AS comment
  FROM pg_class AS c WHERE c.relkind IN ('r', 'p') AND ${OWN_TABLES} ORDER BY c.relname`;

const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS name, 
         replace(format_type(a.atttypid, a.atttypmod), 'timestamp(3) with time zone', 'timestamptz(3)') AS type,
         NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS default,
         coalesce(col_description(c.oid, a.attnum), '') AS comment
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relkind IN ('r', 'p') AND ${OWN_TABLES} ORDER BY c.relname, a.attnum`;

const CONSTRAINTS = `
  SELECT c.relname AS "table", k.contype AS kind, k.conname AS name, f.relname AS target,
         ARRAY(SELECT a.attname::text FROM pg_attribute AS a
               WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey) ORDER BY a.attnum) AS columns,
         pg_get_constraintdef(k.oid) AS definition, coalesce(obj_description(k.oid, 'pg_constraint'), '') AS comment
  FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid LEFT JOIN pg_class AS f ON f.oid = k.confrelid
  WHERE k.contype IN ('p', 'u', 'f', 'c') AND ${OWN_TABLES}
  ORDER BY c.relname, array_position('{p,u,f,c}'::text[], k.contype::text), k.conname`;

const INDEXES = `
  SELECT c.relname AS "table", i.relname AS name, pg_get_indexdef(i.oid) AS definition,
         coalesce(obj_description(i.oid, 'pg_class'), '') AS comment
  FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS c ON c.oid = x.indrelid
  WHERE NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u')) AND ${OWN_TABLES}
  ORDER BY c.relname, i.relname`;

/**
 * Format docs/reference/database/ from the catalog of a migrated database: an index, and a document for each area of
 * the schema.
 */
export async function formatDatabase(client: ClientBase): Promise<Map<string, string>> {
  const schema = await readSchema(client);
  const areas = await readAreas();
  const unassigned = schema.tables.filter(({ name }) => ![...areas.values()].flat().includes(name));
  if (unassigned.length > 0)
    throw new Error(`No model in ${SCHEMA_FOLDER} for ${unassigned.map(({ name }) => name).join(', ')}.`);
  const documents = new Map([['README.md', formatIndex(schema, areas)]]);
  for (const [area, names] of areas) {
    const tables = schema.tables.filter(({ name }) => names.includes(name));
    const sections = tables.map((table) => formatSection(table, schema));
    documents.set(`${area}.md`, formatDocument(toTitle(area), formatDiagram(names, schema), ...sections));
  }
  return documents;
}

async function readSchema(client: ClientBase): Promise<Schema> {
  const { rows: tables } = await client.query<Table>(TABLES);
  const { rows: columns } = await client.query<Column>(COLUMNS);
  const { rows: constraints } = await client.query<Constraint>(CONSTRAINTS);
  const { rows: indexes } = await client.query<Index>(INDEXES);
  return { tables, columns, constraints, indexes };
}

async function readAreas(): Promise<Map<string, string[]>> {
  const areas = new Map<string, string[]>();
  for (const file of (await readdir(SCHEMA_FOLDER)).sort()) {
    const text = await readFile(join(SCHEMA_FOLDER, file), 'utf8');
    const names = [...text.matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name ?? '').sort();
    if (names.length > 0) areas.set(basename(file, '.prisma').replaceAll('_', '-'), names);
  }
  return areas;
}

function toTitle(area: string): string {
  const title = area.replaceAll('-', ' ').replace('qr ', 'QR ');
  return `Tables: ${title}`;
}

const INTRODUCTION = `
The tables of the service, by area. Each page has a diagram of the keys, then the columns, constraints and indexes of each table. The text is that of the comments in the database.

Do not query these tables for reports: they change without notice. [Reporting views](../reporting.md) are stable.
`;

function formatIndex({ tables }: Schema, areas: ReadonlyMap<string, string[]>): string {
  const rows = [...areas].flatMap(([area, names]) =>
    tables
      .filter(({ name }) => names.includes(name))
      .map(({ name, comment }) => [
        `[${code(name)}](${area}.md#${name})`,
        area.replaceAll('-', ' '),
        comment,
      ]),
  );
  return formatDocument('Database', INTRODUCTION, formatTable(['table', 'area', 'meaning'], rows));
}

function formatDiagram(names: readonly string[], { columns, constraints }: Schema): string {
  const keys = (table: string, kind: Constraint['kind']) =>
    new Set(
      constraints.filter((key) => key.table === table && key.kind === kind).flatMap((key) => key.columns),
    );
  const boxes = names.flatMap((name) => {
    const primary = keys(name, 'p');
    const foreign = keys(name, 'f');
    const lines = columns
      .filter((column) => column.table === name && (primary.has(column.name) || foreign.has(column.name)))
      .map((column) => {
        const marks = [primary.has(column.name) && 'PK', foreign.has(column.name) && 'FK'].filter(Boolean);
        const type = column.type.replace('[]', '_array').replace(/\W.*$/, '');
        return `    ${type} ${column.name} ${marks.join(', ')}`;
      });
    return [`  ${name} {`, ...lines, '  }'];
  });
  const lines = constraints
    .filter(({ kind, table }) => kind === 'f' && names.includes(table))
    .map((key) => {
      const primary = keys(key.table, 'p');
      const isPrimary = key.columns.every((name) => primary.has(name));
      const isNullable = columns.some(
        ({ table, name, nullable }) => table === key.table && key.columns.includes(name) && nullable,
      );
      const cardinality = isPrimary && primary.size === key.columns.length ? 'o|' : 'o{';
      return `  ${key.target} ${isNullable ? '|o' : '||'}--${cardinality} ${key.table} : ${key.columns.join('_')}`;
    });
  return ['```mermaid', 'erDiagram', ...lines, ...boxes, '```'].join('\n');
}

function formatSection({ name: table, comment }: Table, schema: Schema): string {
  const isOfTable = (row: { table: string }) => row.table === table;
  const columns = schema.columns
    .filter(isOfTable)
    .map((column) => [
      code(column.name),
      `${column.type}${column.nullable ? ', null' : ''}`,
      column.default === null ? '' : code(column.default.replaceAll('\n', '\\n')),
      column.comment,
    ]);
  const constraints = schema.constraints.filter(isOfTable).map((constraint) =>
    // The comment on a key repeats its definition.
    formatItem(
      constraint.name,
      code(constraint.definition),
      constraint.kind === 'c' ? constraint.comment : '',
    ),
  );
  const indexes = schema.indexes.filter(isOfTable).map(({ name, definition, comment: use }) => {
    const keyText = definition.replace(/^CREATE (UNIQUE )?INDEX \S+ ON \S+ USING /, '$1');
    return formatItem(name, `index, ${code(keyText)}`, use);
  });
  return [
    `## ${table}`,
    escapeText(comment),
    formatTable(['column', 'type', 'default', 'meaning'], columns),
    [...constraints, ...indexes].join('\n'),
  ].join('\n\n');
}

function formatItem(name: string, definition: string, comment: string): string {
  return `- ${code(name)}: ${definition}${comment ? `. ${escapeText(comment)}` : ''}`;
}
