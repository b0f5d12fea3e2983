/** Get the path that a proxy puts before every path of the service; empty for none. */
export function getBasePath(publicBaseUrl: string): string {
  return new URL(publicBaseUrl).pathname.replace(/\/+$/, '');
}
