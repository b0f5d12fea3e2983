import { QrCodeDesignInputSchema } from '../../platform/qr-image/design.schemas.ts';
import type { FieldError } from '../../shared/errors.ts';
import { validateAgainstSchema } from './kinds/validate-data.ts';

export function findDesignErrors(design: unknown): FieldError[] {
  return validateAgainstSchema('design', QrCodeDesignInputSchema, design);
}
