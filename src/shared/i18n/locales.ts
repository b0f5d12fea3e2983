import { readdirSync, readFileSync } from 'node:fs';

export interface Locale {
  /** BCP 47. */
  readonly tag: string;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

export type Catalogue = ReadonlyMap<string, string>;

const DEFAULT_TAG = 'en';

const RIGHT_TO_LEFT_TAGS = ['ar', 'he'];

// The same path from src/ and dist/.
const FOLDER = new URL('../../../locales/', import.meta.url);

export const MESSAGE_CATALOGUES: ReadonlyMap<string, Catalogue> = new Map(
  listTags().map((tag) => [tag, readCatalogue(tag)]),
);

export const LOCALES: ReadonlyMap<string, Locale> = new Map(
  [...MESSAGE_CATALOGUES.keys()].map((tag) => [tag, createLocale(tag)]),
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
