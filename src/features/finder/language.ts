import { en } from './languages/en.ts';

/** A catalogue with the same sentences as the English one. */
type Catalogue<Original> = {
  readonly [Key in keyof Original]: Original[Key] extends string ? string : Catalogue<Original[Key]>;
};

/** A language of the finder's pages. */
export interface Language {
  /** BCP 47; also for numbers and dates. */
  tag: string;
  sentences: Catalogue<typeof en>;
}

export const ENGLISH: Language = { tag: 'en', sentences: en };

/** A sentence with its values put in; a value that is not given leaves its place as it is. */
export function say(sentence: string, values: Record<string, string> = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** The form of a sentence for a number, by the language's own rules of plural. */
export function sayCount(
  { tag }: Language,
  forms: { readonly one: string; readonly other: string },
  count: number,
): string {
  const form = new Intl.PluralRules(tag).select(count) === 'one' ? forms.one : forms.other;
  return say(form, { count: new Intl.NumberFormat(tag).format(count) });
}

/** How long to wait, from seconds: in whole minutes, or hours where it is long; never less than it takes. */
export function sayWait(language: Language, seconds: number): string {
  const { waitMinutes, waitHours } = language.sentences;
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes <= 90
    ? sayCount(language, waitMinutes, minutes)
    : sayCount(language, waitHours, Math.ceil(minutes / 60));
}
