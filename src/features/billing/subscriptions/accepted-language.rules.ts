/** Parse the languages of Accept-Language, highest quality first (RFC 9110, 12.5.4). */
export function parseAcceptLanguage(header: string | undefined): string[] {
  const ranges = (header ?? '').slice(0, 500).split(',').map(parseLanguageRange);
  return ranges
    .filter(({ tag, quality }) => /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/.test(tag) && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/**
 * Choose a name by language, also without its region (`de-CH` matches `de`: RFC 4647, 3.4); then English,
 * then `fallback`.
 */
export function chooseLocalizedName(
  names: Record<string, string>,
  languages: readonly string[],
  fallback: string,
): string {
  const known = new Map(Object.entries(names));
  for (const language of languages) {
    for (
      let tag = language.toLowerCase();
      tag !== '';
      tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))
    ) {
      const name = known.get(tag);
      if (name !== undefined) return name;
    }
  }
  return known.get('en') ?? fallback;
}

function parseLanguageRange(text: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = text
    .trim()
    .toLowerCase()
    .split(/\s*;\s*/);
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  // An invalid quality counts as 0.
  return { tag, quality: weight ? Number(weight.slice(2)) || 0 : 1 };
}
