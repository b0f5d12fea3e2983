const POINTS_PER_MILLIMETER = 72 / 25.4;

/** Convert millimeters to points, the unit of PDF. */
export function toPoints(millimeters: number): number {
  return millimeters * POINTS_PER_MILLIMETER;
}
