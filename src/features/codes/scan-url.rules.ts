/** Where this service answers, as far as it knows; proxies and DNS may have further names for it. */
export interface OwnAddresses {
  publicBaseUrl: string;
  frontendUrl: string;
}

/** Pages of codes, links of owners, test links. Not shared documents (`/s/d`), which record no scan. */
const SCAN_PATH_PATTERN = /\/s\/(?:([0-9a-f]{24})|o|test)(?:\/|$)/i;

/** Whether a URL is the page of a code of this service, or one that leads there, in any spelling. */
export function isOwnScanUrl(url: URL, { publicBaseUrl, frontendUrl }: OwnAddresses): boolean {
  const ownHosts = [publicBaseUrl, frontendUrl].map((address) => normalizeHost(new URL(address).hostname));
  return (
    ownHosts.includes(normalizeHost(url.hostname)) && SCAN_PATH_PATTERN.test(normalizePath(url.pathname))
  );
}

/** Find the id of a code in the URL of its page, on any host. */
export function findScannedQrCodeId(url: URL): string | null {
  return SCAN_PATH_PATTERN.exec(normalizePath(url.pathname))?.[1]?.toLowerCase() ?? null;
}

/** The router decodes paths, and proxies may join slashes. */
function normalizePath(pathname: string): string {
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // Not UTF-8: the service rejects such paths.
  }
  return path.replace(/[\\/]+/g, '/');
}

/** URL has normalized letter case, IDN and notations of an address, except for these. */
function normalizeHost(hostname: string): string {
  const host = hostname.replace(/\.$/, '');
  // IPv4-mapped (RFC 4291, 2.5.5.2).
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const parts = [high, low].map((part) => Number.parseInt(part, 16));
  return parts.flatMap((part) => [part >> 8, part & 255]).join('.');
}
