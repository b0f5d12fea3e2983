/** How an entry of the trail can be wrong. */
export const TRAIL_FINDING_KINDS = [
  'CHANGED',
  'REMOVED',
  'INSERTED',
  'REORDERED',
  'CUT_OFF',
  'OLDER_DATABASE',
  'SIGNATURE',
] as const;

/** The first entry of a trail that is wrong, and how. */
export interface TrailFinding {
  kind: (typeof TRAIL_FINDING_KINDS)[number];
  /** Its place in the chain; null for an entry that was never sealed. */
  sequence: number | null;
  /** The last place that the same reason leaves unproved. */
  through: number | null;
  entryId: string | null;
  /** A sentence for people. */
  meaning: string;
}

/** A finding about the entry at a place, or about a range of places. */
export function createTrailFinding(
  kind: TrailFinding['kind'],
  sequence: number | null,
  meaning: string,
  more: { through?: number; entryId?: string } = {},
): TrailFinding {
  return { kind, sequence, through: more.through ?? sequence, entryId: more.entryId ?? null, meaning };
}
