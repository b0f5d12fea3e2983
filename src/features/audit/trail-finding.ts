export const TRAIL_FINDING_KINDS = [
  'CHANGED',
  'REMOVED',
  'INSERTED',
  'REORDERED',
  'CUT_OFF',
  'OLDER_DATABASE',
  'SIGNATURE',
] as const;

/** The first invalid entry of a trail. */
export interface TrailFinding {
  kind: (typeof TRAIL_FINDING_KINDS)[number];
  /** Null for an entry that was never sealed. */
  sequence: number | null;
  /** The last sequence that cannot be verified for the same reason. */
  through: number | null;
  entryId: string | null;
  meaning: string;
}

export function createTrailFinding(
  kind: TrailFinding['kind'],
  sequence: number | null,
  meaning: string,
  more: { through?: number; entryId?: string } = {},
): TrailFinding {
  return { kind, sequence, through: more.through ?? sequence, entryId: more.entryId ?? null, meaning };
}
