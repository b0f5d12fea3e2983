import type { Measurement } from './table.ts';
import type { TablesWorld } from './tables/tables-world.ts';
import type { CodesWorld } from './worlds/codes-world.ts';
import type { DataWorld } from './worlds/data-world.ts';

export interface RoundOptions {
  rounds: number;
  seconds: number;
  /** Get a part of a default number of rows. */
  scale(rows: number): number;
  /** Folder of other PostgreSQL programs than the embedded ones. */
  binariesFolder: string | undefined;
  onProgress(text: string): void;
}

/** What a benchmark needs; started once for all benchmarks of a run that need the same. */
interface WorldBenchmark<World extends string, WorldInstance> {
  world: World;
  measure(options: RoundOptions, world: WorldInstance): Promise<Measurement[]>;
}

export type CodesBenchmark = WorldBenchmark<'CODES', CodesWorld>;
export type MillionScansBenchmark = WorldBenchmark<'MILLION_SCANS', DataWorld>;
export type FiveMillionScansBenchmark = WorldBenchmark<
  'FIVE_MILLION_SCANS',
  Record<'large' | 'small', DataWorld>
>;
export type TablesBenchmark = WorldBenchmark<'TABLES', TablesWorld>;
/** Starts what it needs itself. */
export type OwnBenchmark = WorldBenchmark<'OWN', null>;

export type Benchmark =
  | CodesBenchmark
  | MillionScansBenchmark
  | FiveMillionScansBenchmark
  | TablesBenchmark
  | OwnBenchmark;
