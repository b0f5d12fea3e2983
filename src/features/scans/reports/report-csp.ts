import { createHash } from 'node:crypto';
import { REPORT_CSS } from './report-css.ts';

/** What a page may do: show itself, in its own style. */
export const REPORT_PAGE_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(REPORT_CSS).digest('base64')}'`,
  // The empty icon of the page, so that a browser does not ask for one.
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The policy as a header; the page repeats it, for where it is opened from a file. */
export const REPORT_CSP_HEADER = `${REPORT_PAGE_CSP}; frame-ancestors 'none'`;
