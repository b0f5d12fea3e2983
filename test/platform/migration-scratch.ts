import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { createScratchFolder, runQuery } from '../scratch-folder.ts';
import { getSiblingScriptPath } from '../transpiled-scripts.ts';

const ROOT = process.cwd();

// Semicolons in a string and a function, where a script must not be split.
export const FIRST_MIGRATION = `CREATE TABLE a (x text DEFAULT 'one; two');
CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 1; END $$;
COMMENT ON TABLE a IS 'First; and best.';
`;
export const COMPATIBLE_COMMENT = '-- Compatible with earlier versions: yes';
export const SECOND_MIGRATION =
  "ALTER TABLE a ADD COLUMN y text;\nINSERT INTO a (y) VALUES (current_setting('TimeZone'));\n";

/**
 * Create an empty database, an empty folder of migrations, and functions that write one, remove one and run
 * `prisma migrate`.
 * @param options options of CREATE DATABASE
 */
export async function createMigrationScratch(t: Test, ownerUrl: string, options = '') {
  const name = `m${randomBytes(6).toString('hex')}`;
  await runQuery(ownerUrl, `CREATE DATABASE ${name} ${options}`);
  const url = Object.assign(new URL(ownerUrl), { pathname: `/${name}` }).href;
  const home = await createScratchFolder(t);
  const folder = join(home, 'migrations');
  await mkdir(folder);
  await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  await writeFile(join(home, 'schema.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
  const config = { schema: join(home, 'schema.prisma'), migrations: { path: folder }, datasource: { url } };
  await writeFile(join(home, 'prisma.config.ts'), `export default ${JSON.stringify(config)};\n`);
  await writeFile(
    join(home, 'schema-engine'),
    `#!/bin/sh\nexec "${process.execPath}" "${getSiblingScriptPath(import.meta.url, 'schema-engine-binary')}" "$@"\n`,
  );
  await chmod(join(home, 'schema-engine'), 0o755);

  const add = async (migration: string, sql: string) => {
    await mkdir(join(folder, migration), { recursive: true });
    await writeFile(join(folder, migration, 'migration.sql'), sql);
  };
  const remove = (migration: string) => rm(join(folder, migration), { recursive: true });
  const prisma = async (engine: 'wasm' | 'native', ...words: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(ROOT, 'node_modules/prisma/build/index.js'),
        'migrate',
        ...words,
        '--config',
        join(home, 'prisma.config.ts'),
      ],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          CHECKPOINT_DISABLE: '1',
          PRISMA_HIDE_UPDATE_MESSAGE: '1',
          ...(engine === 'wasm' && { PRISMA_SCHEMA_ENGINE_BINARY: join(home, 'schema-engine') }),
        },
      },
    );
    return stdout;
  };
  return { url, folder, add, remove, prisma };
}
