import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { createPrismaSchemaEngine } from '../../src/platform/schema-engine.ts';

export interface SchemaFile {
  path: string;
  content: string;
}

export async function readSchemaFiles(folder: string): Promise<SchemaFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma'));
  return Promise.all(
    names.sort().map(async (name) => {
      const path = resolve(folder, name);
      return { path, content: await readFile(path, 'utf8') };
    }),
  );
}

/** Compare the schema `public` with Prisma models; returns the statements that would change it. */
export async function diffSchema(url: string, files: SchemaFile[]): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const factory = new CatalogAdapterFactory(pool);
  const engine = await createPrismaSchemaEngine(factory);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: join(process.cwd(), 'prisma') },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return toStatements(stdout ?? '');
  } finally {
    engine.free();
    await pool.end();
  }
}

function toStatements(script: string): string[] {
  const statements = script.split(';\n').map((part) =>
    part
      .replace(/^--.*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return statements.filter((statement) => statement !== '');
}

/** Reads "char" columns of the catalog, which `@prisma/adapter-pg` 7.10 rejects. */
class CatalogAdapterFactory extends PrismaPg {
  readonly #charColumns: WeakMap<unknown[][], number[]>;

  constructor(pool: pg.Pool) {
    const charColumns = new WeakMap<unknown[][], number[]>();
    const query = async (config: pg.QueryArrayConfig) => {
      const result = await pool.query(config);
      const places = [...result.fields.keys()].filter(
        (place) => result.fields[place]?.dataTypeID === pg.types.builtins.CHAR,
      );
      const fields = result.fields.map((field, place) =>
        places.includes(place) ? { ...field, dataTypeID: pg.types.builtins.TEXT } : field,
      );
      charColumns.set(result.rows, places);
      return { ...result, fields };
    };
    super(Object.create(pool, { query: { value: query } }));
    this.#charColumns = charColumns;
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw: SqlDriverAdapter['queryRaw'] = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const place of this.#charColumns.get(result.rows) ?? []) {
        result.columnTypes[place] = ColumnTypeEnum.Character;
      }
      return result;
    };
    return adapter;
  }
}
