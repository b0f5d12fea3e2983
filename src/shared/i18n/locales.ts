import { readdirSync, readFileSync } from 'node:fs';

/** A language of the interface. */
export interface Locale {
  /** BCP 47; also for numbers, dates and plurals. */
  readonly tag: string;
  /** In the language itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Messages in ICU MessageFormat, by key. */
export type Catalogue = ReadonlyMap<string, string>;

const DEFAULT_TAG = 'en';

const RIGHT_TO_LEFT_TAGS = ['ar', 'he'];

// src/ and dist/ are both beside it.
const FOLDER = new URL('../../../locales/', import.meta.url);

/** The catalogue of each locale, by tag. */
export const CATALOGUES: ReadonlyMap<string, Catalogue> = new Map(
  listTags().map((tag) => [tag, readCatalogue(tag)]),
);

/** Every locale, by tag; the default one first. */
export const LOCALES: ReadonlyMap<string, Locale> = new Map(
  [...CATALOGUES.keys()].map((tag) => [tag, createLocale(tag)]),
);

export const DEFAULT_LOCALE: Locale = LOCALES.get(DEFAULT_TAG) ?? createLocale(DEFAULT_TAG);

function listTags(): string[] {
  const tags = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
  return [DEFAULT_TAG, ...tags.filter((tag) => tag !== DEFAULT_TAG)];
}

function readCatalogue(tag: string): Catalogue {
  const messages: Record<string, string> = JSON.parse(readFileSync(new URL(`${tag}.json`, FOLDER), 'utf8'));
  return new Map(Object.entries(messages));
}

function createLocale(tag: string): Locale {
  return {
    tag,
    name: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag,
    direction: RIGHT_TO_LEFT_TAGS.includes(tag) ? 'rtl' : 'ltr',
  };
}
