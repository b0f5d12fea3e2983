/** Ordered: most browsers name others, too. */
const BROWSER_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const OPERATING_SYSTEM_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Use names of this table only, so that no client input reaches a mail; a dash when unknown. */
export function formatUserAgentFamily(userAgent: string): string {
  const browser = findMatchingName(BROWSER_PATTERNS, userAgent);
  const system = findMatchingName(OPERATING_SYSTEM_PATTERNS, userAgent);
  if (browser && system) return `${browser} (${system})`;
  return browser ?? system ?? '–';
}

function findMatchingName(
  table: readonly (readonly [RegExp, string])[],
  userAgent: string,
): string | undefined {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1];
}
