import { DesignInputSchema } from '../../platform/qr-image/design.schemas.ts';
import type { FieldError } from '../../shared/errors.ts';
import { validateAgainstSchema } from './kinds/validate-data.ts';

/** Validate a design against its schema; paths of errors start with `design`. */
export function findDesignErrors(design: unknown): FieldError[] {
  return validateAgainstSchema('design', DesignInputSchema, design);
}
