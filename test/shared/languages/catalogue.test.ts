import type { Test } from 'tap';
import { KINDS } from '../../../src/features/qrcodes/kinds/all-kinds.ts';
import { ENGLISH, LANGUAGES, type Language } from '../../../src/shared/languages/language.ts';
import { t } from '../../tap.ts';

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** The names of the places for values, in any order. */
const placesOf = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const isForms = (part: object): part is Record<string, string> =>
  'other' in part && Object.keys(part).every((key) => FORMS.includes(key));

/** The forms that whole numbers take, to a thousand. */
function formsOf({ tag }: Language): Set<string> {
  const rules = new Intl.PluralRules(tag);
  return new Set(Array.from({ length: 1_001 }, (_, number) => rules.select(number)));
}

function compare(t: Test, language: Language, original: unknown, translated: unknown, path: string): void {
  if (typeof original === 'string') {
    const sentence = typeof translated === 'string' ? translated : '';
    t.not(sentence.trim(), '', path);
    t.same(placesOf(sentence), placesOf(original), path);
    return;
  }
  const [from, to] = [original as object, (translated ?? {}) as object];
  if (isForms(from)) {
    for (const form of formsOf(language)) t.ok(Reflect.get(to, form), `${path}, ${form}`);
    for (const [form, sentence] of Object.entries(to)) {
      t.ok(FORMS.includes(form), `${path}, ${form}`);
      const places = placesOf(sentence);
      // A form that is for one number alone may say it as a word.
      if (form === 'other' || places.length > 0)
        t.same(places, placesOf(from.other ?? ''), `${path}, ${form}`);
    }
    return;
  }
  t.same(Object.keys(to), Object.keys(from), `${path} has the same sentences in the same order`);
  for (const [key, part] of Object.entries(from))
    compare(t, language, part, Reflect.get(to, key), `${path}.${key}`);
}

for (const language of LANGUAGES.values()) {
  t.test(`no sentence is missing in ${language.name}, and none has other places for values`, async (t) => {
    const { tag, name, direction, ...catalogue } = language;
    const { tag: _tag, name: _name, direction: _direction, ...english } = ENGLISH;
    compare(t, language, english, catalogue, tag);
  });
}

t.test('every name and word that a kind of code knows has its translation', async (t) => {
  const names = new Set(KINDS.map(({ label }) => label));
  const words = new Set<string>();
  for (const { schema } of KINDS) {
    JSON.stringify(schema.properties, (key, value) => {
      if (key === 'title' && typeof value === 'string') names.add(value);
      if (key === 'enum') for (const word of value) words.add(word);
      return value;
    });
  }
  t.ok(names.size > 100);
  t.ok(words.size > 20);
  t.same(
    [...names].filter((name) => !Object.hasOwn(ENGLISH.terms, name)),
    [],
  );
  // Blood groups are the same everywhere.
  const isKnown = (word: string) => Object.hasOwn(ENGLISH.words, word) || /^(?:A|B|AB|O)[+-]$/.test(word);
  t.same(
    [...words].filter((word) => !isKnown(word)),
    [],
  );
});
