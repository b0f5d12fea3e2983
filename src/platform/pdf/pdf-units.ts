export const MILLIMETERS_PER_INCH = 25.4;
export const POINTS_PER_INCH = 72;

/** Convert millimeters to points, the unit of PDF. */
export function toPoints(millimeters: number): number {
  return (millimeters * POINTS_PER_INCH) / MILLIMETERS_PER_INCH;
}

/** Convert points to millimeters. */
export function toMillimeters(points: number): number {
  return (points * MILLIMETERS_PER_INCH) / POINTS_PER_INCH;
}
