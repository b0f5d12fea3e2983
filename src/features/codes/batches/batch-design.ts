import { createValidationError, type FieldError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { checkQrCodeDesign } from '../draw-qrcode.ts';
import { findPageDesignErrors, findPageDesignPictureErrors, toPageDesign } from '../page-design.rules.ts';
import { getQrCodeScanUrl } from '../qrcode.view.ts';
import { findQrCodeDesignErrors, toQrCodeDesignInput } from '../qrcode-input.rules.ts';
import type { NewBatchBody } from './batches.schemas.ts';

/** Design of all images of a batch. */
export interface BatchDesign {
  design: Record<string, unknown>;
  adjusted: Record<string, unknown>[];
}

export function findBatchErrors({
  count,
  rows,
  design,
  pageDesign,
}: Pick<NewBatchBody, 'count' | 'rows' | 'design' | 'pageDesign'>): FieldError[] {
  const errors: FieldError[] = [];
  if ((count === undefined) === (rows === undefined))
    errors.push({ field: 'count', code: 'REQUIRED', message: 'Send either `count` or `rows`.' });
  if (design?.logo !== undefined)
    errors.push({ field: 'design.logo', code: 'NOT_ALLOWED', message: 'Tags have no logo.' });
  else if (design) errors.push(...findQrCodeDesignErrors(design));
  if (pageDesign) {
    const pageErrors = findPageDesignErrors(pageDesign);
    errors.push(
      ...(pageErrors.length > 0 ? pageErrors : findPageDesignPictureErrors(toPageDesign(pageDesign), [])),
    );
  }
  return errors;
}

/** Check once that images of the design scan: all of them encode an address of the same length. @throws IMAGE_NOT_SCANNABLE */
export async function checkBatchDesign(
  { publicBaseUrl }: { publicBaseUrl: string },
  accountId: string,
  design: Record<string, unknown> = {},
): Promise<BatchDesign> {
  const checked = await checkQrCodeDesign(
    accountId,
    getQrCodeScanUrl(publicBaseUrl, generateId()),
    toQrCodeDesignInput(design),
  );
  if (checked.logo) throw createValidationError({ field: 'design.logo', code: 'NOT_ALLOWED', message: '' });
  return { design: checked.design, adjusted: checked.adjusted };
}
