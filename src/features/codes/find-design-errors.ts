import { QrCodeDesignInputSchema } from '../../platform/qr-image/design.schemas.ts';
import type { FieldError } from '../../shared/errors.ts';
import { findSchemaErrors } from './kinds/validate-data.ts';

export function findQrCodeDesignErrors(design: unknown): FieldError[] {
  return findSchemaErrors('design', QrCodeDesignInputSchema, design);
}
