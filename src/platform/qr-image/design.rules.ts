import type { QrCodeDesign, QrCodeDesignInput } from './design.schemas.ts';
import { IMAGE_SIZE_PIXELS } from './image-size.rules.ts';

/** What is drawn where nothing else is asked for. */
export const DEFAULT_QR_CODE_DESIGN: QrCodeDesign = {
  foreground: '#000000',
  background: '#ffffff',
  errorCorrection: 'M',
  margin: 4,
  size: IMAGE_SIZE_PIXELS.default,
  logoSize: 20,
};

/** The design with its defaults filled in. */
export function completeDesign(input: QrCodeDesignInput): QrCodeDesign {
  return { ...DEFAULT_QR_CODE_DESIGN, ...input };
}
