import { ServiceError } from '../../shared/errors.ts';

export function createImageNotScannableError(
  detail: string,
  fields: readonly string[],
  code: string,
): ServiceError {
  return new ServiceError('IMAGE_NOT_SCANNABLE', {
    detail,
    errors: fields.map((field) => ({ field, code, message: detail })),
  });
}
