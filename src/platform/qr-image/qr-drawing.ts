import type { FieldError, ServiceErrorCode } from '../../shared/errors.ts';
import type { QrCodeDesign, QrCodeDesignAdjustment, QrCodeDesignInput } from './design.schemas.ts';
import type { QrCodeImageFormat, QrCodeImageOptions } from './draw-in-format.ts';

export type QrDrawingTask =
  | { purpose: 'SCANNABLE'; content: string; input: QrCodeDesignInput }
  | {
      purpose: 'FORMAT';
      content: string;
      design: QrCodeDesign;
      format: QrCodeImageFormat;
      options?: QrCodeImageOptions | undefined;
    }
  | { purpose: 'READ'; photo: Uint8Array };

export interface DrawnQrImage {
  bytes: Uint8Array;
  design: QrCodeDesign;
  adjusted: QrCodeDesignAdjustment[];
}

/** An error loses its class between processes. */
export interface QrDrawingRejection {
  rejected: { code: ServiceErrorCode; detail: string; errors?: FieldError[] };
}

export type QrDrawingResult = DrawnQrImage | { bytes: Uint8Array } | { texts: string[] } | QrDrawingRejection;
