import type { RoundOptions } from '../load/compare.ts';
import type { Measurement } from '../table.ts';
import type { CodesWorld } from '../worlds/codes-world.ts';
import type { DataWorld } from '../worlds/data-world.ts';

interface WorldRow<World extends string, WorldInstance> {
  name: string;
  world: World;
  measure(options: RoundOptions, world: WorldInstance): Promise<Measurement[]>;
}

export type CodesRow = WorldRow<'CODES', CodesWorld>;
export type OneMillionScansRow = WorldRow<'MILLION', DataWorld>;
export type FiveMillionScansRow = WorldRow<'FIVE_MILLION', Record<'large' | 'small', DataWorld>>;
export type StandaloneRow = WorldRow<'NONE', null>;

export type BenchRow = CodesRow | OneMillionScansRow | FiveMillionScansRow | StandaloneRow;
