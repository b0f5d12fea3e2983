import { createHash } from 'node:crypto';
import { SCAN_REPORT_CSS } from './report-css.ts';

export const SCAN_REPORT_PAGE_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(SCAN_REPORT_CSS).digest('base64')}'`,
  // The empty icon, so that browsers do not request one.
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The page repeats it in a meta element, for downloaded files. */
export const SCAN_REPORT_CSP_HEADER = `${SCAN_REPORT_PAGE_CSP}; frame-ancestors 'none'`;
