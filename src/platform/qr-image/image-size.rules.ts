/** Width and height of an image, in pixels. */
export const IMAGE_SIZE_PIXELS = { least: 128, default: 512, most: 2048 } as const;

/** Fewer pixels a module are lost when a screen or a printer scales the image. */
export const MIN_PIXELS_PER_MODULE = 3;

/** The smallest image that has room for a symbol of so many modules a side and its margin, in pixels. */
export function getMinImageSize(modules: number, margin: number): number {
  return (modules + 2 * margin) * MIN_PIXELS_PER_MODULE;
}
