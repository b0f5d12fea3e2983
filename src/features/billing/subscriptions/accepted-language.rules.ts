/** Languages a client asks for, the dearest first (RFC 9110, 12.5.4); none for a header that is absent. */
export function parseAcceptLanguage(header: string | undefined): string[] {
  const ranges = (header ?? '').slice(0, 500).split(',').map(parseLanguageRange);
  return ranges
    .filter(({ tag, quality }) => /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/.test(tag) && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/**
 * The name in the first language that there is one for, a language without its region counting too
 * (`de-CH` finds `de`: RFC 4647, 3.4); English where there is none, else `fallback`.
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
  // What is no number at all weighs nothing.
  return { tag, quality: weight ? Number(weight.slice(2)) || 0 : 1 };
}
