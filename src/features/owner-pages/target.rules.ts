const MAX_TARGET_CHARACTERS = 500;

/**
 * Parse where a sign-in leads to: a path of the pages for owners, or null. An address of another site, in whatever way it is
 * written, is none (CWE-601).
 * @param pagesPath such as `/app`
 */
export function parseTarget(text: string | undefined, pagesPath: string): string | null {
  if (!text || text.length > MAX_TARGET_CHARACTERS || /[\\\p{Cc}]/u.test(text)) return null;
  const origin = 'https://target.invalid';
  const url = URL.parse(text, origin);
  if (url?.origin !== origin || !text.startsWith('/')) return null;
  const isPage = url.pathname === pagesPath || url.pathname.startsWith(`${pagesPath}/`);
  return isPage ? `${url.pathname}${url.search}` : null;
}

/** Add where a page leads to afterwards to its address. */
export function withTarget(address: string, target: string | null | undefined): string {
  return target ? `${address}?${new URLSearchParams({ to: target })}` : address;
}
