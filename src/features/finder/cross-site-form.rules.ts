/** What a browser says of where a request comes from. */
interface RequestOrigin {
  /** Sec-Fetch-Site (Fetch Metadata). */
  site: string | string[] | undefined;
  /** Origin (RFC 6454). */
  origin: string | undefined;
}

/** Whether a page of another site sent a form, as far as the browser says; `hosts` are our own. */
export function isCrossSiteForm({ site, origin }: RequestOrigin, hosts: readonly string[]): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // Our own pages tell no referrer, and so no origin either.
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host);
}
