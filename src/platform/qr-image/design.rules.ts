import type { QrCodeDesign, QrCodeDesignInput } from './design.schemas.ts';
import { QR_IMAGE_SIZE_PIXELS } from './image-size.rules.ts';

export const DEFAULT_QR_CODE_DESIGN: QrCodeDesign = {
  foreground: '#000000',
  background: '#ffffff',
  errorCorrection: 'M',
  margin: 4,
  size: QR_IMAGE_SIZE_PIXELS.default,
  logoSize: 20,
};

export function completeQrCodeDesign(input: QrCodeDesignInput): QrCodeDesign {
  return { ...DEFAULT_QR_CODE_DESIGN, ...input };
}
