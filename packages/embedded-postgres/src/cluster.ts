import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './system-user.ts';

/** The folder of a cluster, the programs for it, and who runs them where that is not this process's user. */
export interface Cluster {
  folder: string;
  binaries: PostgresBinaries;
  user: PostgresUser | undefined;
  /** What its server is told besides what every one is. */
  settings: Readonly<Record<string, string>>;
}
