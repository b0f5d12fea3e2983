export {
  listClusterProcesses,
  type PostmasterFile,
  readPostmasterFile,
  sendSignal,
} from './cluster-processes.ts';
export type { DatabaseAddresses } from './database-addresses.ts';
export { findEmbeddedPostgres } from './find-embedded-postgres.ts';
export type { Log } from './log.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';
