import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './system-user.ts';

export interface Cluster {
  folder: string;
  binaries: PostgresBinaries;
  user: PostgresUser | undefined;
  settings: Readonly<Record<string, string>>;
}
