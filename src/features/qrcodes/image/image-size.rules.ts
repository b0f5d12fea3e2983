import type { Matrix } from './matrix.ts';

/** Width and height of an image, in pixels. */
export const IMAGE_SIZE = { least: 128, default: 512, most: 2048 } as const;

/** Fewer pixels a module are lost when a screen or a printer scales the image. */
export const LEAST_PIXELS_A_MODULE = 3;

/** The smallest image that has room for the symbol and its margin, in pixels. */
export function leastSize(matrix: Matrix, margin: number): number {
  return (matrix.size + 2 * margin) * LEAST_PIXELS_A_MODULE;
}
