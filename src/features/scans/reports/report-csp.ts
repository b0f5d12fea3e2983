import { createHash } from 'node:crypto';
import type { ReportBrand } from './report-brand.ts';
import { createScanReportCss } from './report-css.ts';

export function createScanReportPageCsp(brand: ReportBrand): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(createScanReportCss(brand)).digest('base64')}'`,
    // The logo, and the empty icon, so that browsers do not request one.
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** The page repeats it in a meta element, for downloaded files. */
export function createScanReportCspHeader(brand: ReportBrand): string {
  return `${createScanReportPageCsp(brand)}; frame-ancestors 'none'`;
}
