/**
 * Letters beyond ASCII of the languages for which Windows saves CSV in Windows-1252. Letters of other languages are missing:
 * Windows-1250 and others have theirs at the same bytes, so that a name would be stored wrongly.
 */
const LETTERS_BY_LANGUAGE: Readonly<Record<string, string>> = {
  ca: 'àçèéíïòóúü',
  da: 'æøåéèêó',
  de: '',
  en: '',
  es: 'áéíñóúü',
  eu: 'ñçü',
  fi: 'åäö',
  fr: 'àâæçèéêëîïôœùûüÿ',
  gl: 'áéíñóúü',
  it: 'àèéìíîòóùú',
  nb: 'æøåéèêóòâô',
  nl: 'áèéêëíïóöúü',
  nn: 'æøåéèêóòâô',
  no: 'æøåéèêóòâô',
  pt: 'àáâãçéêíóôõú',
  sv: 'åäöéà',
};

/** At the same bytes in the code pages of Central, Western and Northern Europe. */
const SHARED_LETTERS = 'äöüßé';

const SIGNS = '€‚„…‘’“”•–—™¡§ª«®°±²´µ·º»½¿×\xa0';

/** Four letters beyond ASCII in a row, a sign within a word, but for the Catalan `l·l`, or a character of UTF-8. */
const UNLIKELY_SEQUENCE_PATTERN =
  /[À-ÖØ-öø-ÿŒœ]{4}|\p{L}[°²¿¡](?=\p{L})|[^lL]·(?=\p{L})|[ÂÃ][\xa0-\xbf€‚„…‘’“”•–—™]|â[€‚]/u;

const CHARACTERS_BY_LANGUAGE = new Map(
  Object.entries(LETTERS_BY_LANGUAGE).map(([language, own]) => {
    const letters = own + SHARED_LETTERS;
    return [language, new Set(letters + letters.toUpperCase() + SIGNS)];
  }),
);

/** Whether text that was read as Windows-1252 looks like it, to a user of a language (BCP 47). */
export function isLikelyWindows1252(text: string, language: string): boolean {
  if (/^\p{ASCII}*$/u.test(text)) return true;
  const characters = CHARACTERS_BY_LANGUAGE.get(language.split('-')[0]?.toLowerCase() ?? '');
  if (!characters || UNLIKELY_SEQUENCE_PATTERN.test(text)) return false;
  for (const character of text) if (character > '\x7f' && !characters.has(character)) return false;
  return true;
}
