import { createHash } from 'node:crypto';
import { STYLE } from './report-style.ts';

/** What a page may do: show itself, in its own style. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  // The empty icon of the page, so that a browser does not ask for one.
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The policy as a header; the page repeats it, for where it is opened from a file. */
export const REPORT_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;
