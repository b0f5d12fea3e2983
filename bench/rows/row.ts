import type { Turns } from '../load/compare.ts';
import type { Measured } from '../table.ts';
import type { CodesPlace } from '../worlds/codes-world.ts';
import type { DataPlace } from '../worlds/data-world.ts';

/** Something that is measured against a baseline, in a world that it shares with others. */
interface RowIn<World extends string, Place> {
  /** The word that asks for it. */
  name: string;
  world: World;
  measure(turns: Turns, place: Place): Promise<Measured[]>;
}

export type CodesRow = RowIn<'CODES', CodesPlace>;
export type MillionRow = RowIn<'MILLION', DataPlace>;
export type MillionsRow = RowIn<'FIVE_MILLION', Record<'large' | 'small', DataPlace>>;
export type LoneRow = RowIn<'NONE', null>;

export type Row = CodesRow | MillionRow | MillionsRow | LoneRow;
