interface RequestOrigin {
  /** Sec-Fetch-Site (Fetch Metadata). */
  site: string | string[] | undefined;
  /** Origin (RFC 6454). */
  origin: string | undefined;
}

/** Whether the browser reports that another site sent a form; `hosts` are our own. */
export function isCrossSiteForm({ site, origin }: RequestOrigin, hosts: readonly string[]): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // Our pages send no referrer, so their forms have the origin null.
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host);
}
