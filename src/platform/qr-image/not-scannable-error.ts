import { ServiceError } from '../../shared/errors.ts';

/** The error of an image that would not scan: the reason, and the fields that a client can change. */
export function createNotScannableError(
  detail: string,
  fields: readonly string[],
  code: string,
): ServiceError {
  return new ServiceError('IMAGE_NOT_SCANNABLE', {
    detail,
    errors: fields.map((field) => ({ field, code, message: detail })),
  });
}
