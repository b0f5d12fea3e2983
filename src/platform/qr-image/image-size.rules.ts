export const QR_IMAGE_SIZE_PIXELS = { min: 128, default: 512, max: 2048 } as const;

export const MIN_PIXELS_PER_QR_MODULE = 3;

export function getMinQrImageSize(modules: number, margin: number): number {
  return (modules + 2 * margin) * MIN_PIXELS_PER_QR_MODULE;
}
