import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './system-user.ts';

/** The folder of a cluster, its programs, and the user that runs them if it is not ours. */
export interface Cluster {
  folder: string;
  binaries: PostgresBinaries;
  user: PostgresUser | undefined;
  /** Settings beyond the defaults of every server. */
  settings: Readonly<Record<string, string>>;
}
