/** Languages for which Windows saves CSV in Windows-1252. */
const WINDOWS_1252_LANGUAGES: ReadonlySet<string> = new Set([
  ...['ca', 'da', 'de', 'en', 'es', 'eu', 'fi', 'fr', 'gl', 'it', 'nb', 'nl', 'nn', 'no', 'pt', 'sv'],
]);

/** No character of Western European languages. Letters of Icelandic are missing: Turkish has its own at the same bytes. */
const OTHER_CHARACTER_PATTERN = /[^\p{ASCII}À-ÏÑ-ÖØ-Üß-ïñ-öø-üÿŒœ\xa0€‚„…‘’“”•–—™¡£§ª«®°²´·º»¿]/u;

/** Three letters beyond ASCII in a row, or a sign within a word. */
const UNLIKELY_SEQUENCE_PATTERN = /[À-ÖØ-öø-ÿŒœ]{3}|\p{L}[°²·¿¡](?=\p{L})/u;

export function isWindows1252Language(tag: string): boolean {
  return WINDOWS_1252_LANGUAGES.has(tag.split('-')[0]?.toLowerCase() ?? '');
}

/** Whether text that was read as Windows-1252 looks like it: in other encodings, letters follow each other or are signs. */
export function isLikelyWindows1252(text: string): boolean {
  return !OTHER_CHARACTER_PATTERN.test(text) && !UNLIKELY_SEQUENCE_PATTERN.test(text);
}
