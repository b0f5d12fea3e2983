import type { QrCodeDesignInput } from '../../../platform/qr-image/design.schemas.ts';
import { isDesignChecked } from '../../../platform/qr-image/enqueue-qr-drawing.ts';
import { createValidationError, type ServiceError } from '../../../shared/errors.ts';

/** Hashing a PIN takes as long as storing fifty codes. */
const MAX_PINS = 50;

/** Drawings to check designs that were not checked before, each a tenth of a second. */
const MAX_DESIGN_CHECKS = 100;

export interface BulkBudget {
  /** @throws VALIDATION_FAILED */
  consumePin(): void;
  /** @throws VALIDATION_FAILED */
  consumeDesignCheck(content: string, design: QrCodeDesignInput): void;
}

/** Limit the costly items of one request. */
export function createBulkBudget(): BulkBudget {
  let pins = 0;
  let designChecks = 0;
  return {
    consumePin() {
      pins += 1;
      if (pins > MAX_PINS)
        throw createTooManyError('pin', `Must be one of at most ${MAX_PINS} in a request.`);
    },
    consumeDesignCheck(content, design) {
      if (isDesignChecked(content, design)) return;
      designChecks += 1;
      if (designChecks > MAX_DESIGN_CHECKS)
        throw createTooManyError(
          'design',
          `Must be one of at most ${MAX_DESIGN_CHECKS} new designs in a request.`,
        );
    },
  };
}

function createTooManyError(field: string, message: string): ServiceError {
  return createValidationError({ field, code: 'TOO_MANY', message });
}
