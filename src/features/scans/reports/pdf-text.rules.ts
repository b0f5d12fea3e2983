import { DEFAULT_LOCALE, type Locale, MESSAGE_CATALOGUES } from '../../../shared/i18n/locales.ts';

// Windows-1252, the encoding of the standard PDF fonts.
const PRINTABLE_CHARACTER_PATTERN = /^[\x20-\x7e\xa0-\xff‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ€]$/;

const REPLACEMENT_CHARACTER = '?';

/** Remove unsupported marks and replace other characters by `?`; `isWhole` is false when one was replaced. */
export function toPdfPrintableText(text: string): { text: string; isWhole: boolean } {
  let isWhole = true;
  const characters = [...text.normalize('NFC')].map((character) => {
    if (PRINTABLE_CHARACTER_PATTERN.test(character)) return character;
    if (/^[\s\p{Cc}]$/u.test(character)) return ' ';
    if (/^[\p{Cf}\p{M}]$/u.test(character)) return '';
    const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
    if (plain !== '' && [...plain].every((part) => PRINTABLE_CHARACTER_PATTERN.test(part))) return plain;
    isWhole = false;
    return REPLACEMENT_CHARACTER;
  });
  return { text: characters.join(''), isWhole };
}

/** Return the default locale when the fonts cannot print all report messages. */
export function toPdfPrintableLocale(locale: Locale): Locale {
  const messages = [...(MESSAGE_CATALOGUES.get(locale.tag) ?? [])].filter(([key]) =>
    key.startsWith('report.'),
  );
  const isPrintable = messages.every(([, text]) => toPdfPrintableText(text).text === text.normalize('NFC'));
  return isPrintable ? locale : DEFAULT_LOCALE;
}
