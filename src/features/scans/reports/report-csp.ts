import { createHash } from 'node:crypto';
import { REPORT_CSS } from './report-css.ts';

export const REPORT_PAGE_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(REPORT_CSS).digest('base64')}'`,
  // The empty icon, so that browsers do not request one.
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The page repeats it in a meta element, for downloaded files. */
export const REPORT_CSP_HEADER = `${REPORT_PAGE_CSP}; frame-ancestors 'none'`;
