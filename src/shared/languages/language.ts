import { ar } from './ar/index.ts';
import type { Catalogue, Forms } from './catalogue.ts';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import { fr } from './fr/index.ts';
import { he } from './he/index.ts';
import { hi } from './hi/index.ts';
import { it } from './it/index.ts';
import { ja } from './ja/index.ts';
import { nl } from './nl/index.ts';
import { pl } from './pl/index.ts';
import { pt } from './pt/index.ts';
import { tr } from './tr/index.ts';
import { uk } from './uk/index.ts';
import { zh } from './zh/index.ts';

/** A language that people are spoken to in. */
export interface Language extends Catalogue {
  /** BCP 47; also for numbers, dates and forms of plural. */
  tag: string;
  /** Its name for those who speak it. */
  name: string;
  direction: 'ltr' | 'rtl';
}

const RIGHT_TO_LEFT = ['ar', 'he'];

/** Every language, by its tag. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  Object.entries({ en, ar, de, es, fr, he, hi, it, ja, nl, pl, pt, tr, uk, zh }).map(
    ([tag, catalogue]): [string, Language] => [
      tag,
      {
        tag,
        name: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag,
        direction: RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr',
        ...catalogue,
      },
    ],
  ),
);

/** What is spoken where nothing else is known. */
export const ENGLISH = languageNamed('en');

function languageNamed(tag: string): Language {
  const language = LANGUAGES.get(tag);
  if (!language) throw new Error(`No language is called ${tag}.`);
  return language;
}

/** A sentence with its values put in; a value that is not given leaves its place as it is. */
export function say(sentence: string, values: Record<string, string> = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** The form of a sentence for a number, by the language's own rules of plural. */
export function sayCount({ tag }: Language, forms: Forms, count: number): string {
  const form = forms[new Intl.PluralRules(tag).select(count)] ?? forms.other;
  return say(form, { count: new Intl.NumberFormat(tag).format(count) });
}

/** How long to wait, from seconds: in whole minutes, or hours where it is long; never less than it takes. */
export function sayWait(language: Language, seconds: number): string {
  const { waitMinutes, waitHours } = language.finder;
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes <= 90
    ? sayCount(language, waitMinutes, minutes)
    : sayCount(language, waitHours, Math.ceil(minutes / 60));
}

/** The name of a kind or a field, whose schema has it in English; as it is where it is no term of the service. */
export function sayTerm({ terms }: Language, english: string): string {
  return Object.hasOwn(terms, english) ? terms[english as keyof typeof terms] : english;
}
