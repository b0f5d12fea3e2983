import { CATALOGUES, DEFAULT_LOCALE, type Locale } from '../../../shared/i18n/locales.ts';

// The letters of Windows-1252, which the fonts that every reader of PDF has in it can show.
const PRINTABLE_CHARACTER_PATTERN = /^[\x20-\x7e\xa0-\xff‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ€]$/;

/** What stands for a letter that cannot be shown. */
const REPLACEMENT_CHARACTER = '?';

/**
 * Text as the fonts of a PDF can show it: letters with marks that they do not have lose the marks, others become a
 * question mark, so that something is seen to be missing; what has no width of its own goes. `isWhole` is false where
 * letters were replaced.
 */
export function toPrintableText(text: string): { text: string; isWhole: boolean } {
  let isWhole = true;
  const shown = [...text.normalize('NFC')].map((letter) => {
    if (PRINTABLE_CHARACTER_PATTERN.test(letter)) return letter;
    if (/^[\s\p{Cc}]$/u.test(letter)) return ' ';
    if (/^[\p{Cf}\p{M}]$/u.test(letter)) return '';
    const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '');
    if (plain !== '' && [...plain].every((part) => PRINTABLE_CHARACTER_PATTERN.test(part))) return plain;
    isWhole = false;
    return REPLACEMENT_CHARACTER;
  });
  return { text: shown.join(''), isWhole };
}

/** The locale, or the default one where the fonts cannot show every message of a report. */
export function toPrintableLanguage(locale: Locale): Locale {
  const messages = [...(CATALOGUES.get(locale.tag) ?? [])].filter(([key]) => key.startsWith('report.'));
  const isPrintable = messages.every(([, text]) => toPrintableText(text).text === text.normalize('NFC'));
  return isPrintable ? locale : DEFAULT_LOCALE;
}
