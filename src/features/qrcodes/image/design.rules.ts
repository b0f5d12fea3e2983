import type { FieldError } from '../../../shared/errors.ts';
import { validateShape } from '../kinds/validate-data.ts';
import { type Design, type DesignInput, DesignInputSchema } from './design.schemas.ts';
import { IMAGE_SIZE } from './image-size.rules.ts';

/** What is drawn where nothing else is asked for. */
export const DEFAULT_DESIGN: Design = {
  foreground: '#000000',
  background: '#ffffff',
  errorCorrection: 'M',
  margin: 4,
  size: IMAGE_SIZE.default,
  logoSize: 20,
};

/** What is wrong with a design by its schema: paths start with `design`. */
export function designErrors(design: unknown): FieldError[] {
  return validateShape('design', DesignInputSchema, design);
}

/** The design with its defaults filled in. */
export function completeDesign(given: DesignInput): Design {
  return { ...DEFAULT_DESIGN, ...given };
}
