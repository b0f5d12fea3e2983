import { validateShape } from '../../features/codes/index.ts';
import type { FieldError } from '../../shared/errors.ts';
import { DesignInputSchema, type QrCodeDesign, type QrCodeDesignInput } from './design.schemas.ts';
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

/** What is wrong with a design by its schema: paths start with `design`. */
export function findDesignErrors(design: unknown): FieldError[] {
  return validateShape('design', DesignInputSchema, design);
}

/** The design with its defaults filled in. */
export function completeDesign(input: QrCodeDesignInput): QrCodeDesign {
  return { ...DEFAULT_QR_CODE_DESIGN, ...input };
}
