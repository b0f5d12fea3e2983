import { chooseLanguage, languageOf } from '../../../src/shared/languages/choose-language.ts';
import {
  ENGLISH,
  LANGUAGES,
  say,
  sayCount,
  sayTerm,
  sayWait,
} from '../../../src/shared/languages/language.ts';
import { t } from '../../tap.ts';

t.test('sentences take their values, and the right form for a number', async (t) => {
  t.equal(say('{a} and {b}', { a: '{b}', b: '2' }), '{b} and 2');
  t.equal(sayCount(ENGLISH, ENGLISH.finder.pinTries, 1), 'One try is left.');
  t.equal(sayCount(ENGLISH, ENGLISH.finder.pinTries, 4), '4 tries are left.');
  t.equal(sayTerm(ENGLISH, 'toString'), 'toString');
});

t.test('a wait is said in whole minutes or hours, never shorter than it is', async (t) => {
  for (const [seconds, said] of [
    [1, 'one minute'],
    [60, 'one minute'],
    [61, '2 minutes'],
    [900, '15 minutes'],
    [90 * 60, '90 minutes'],
    [90 * 60 + 1, '2 hours'],
    [24 * 60 * 60, '24 hours'],
  ] as const) {
    t.equal(sayWait(ENGLISH, seconds), `Wait ${said}, then try again.`);
  }
});

t.test('the language is the one asked for, else the best that a browser accepts, else English', async (t) => {
  for (const [asked, header, tag] of [
    ['de', 'fr', 'de'],
    ['xx', 'fr', 'fr'],
    ['__proto__', undefined, 'en'],
    [undefined, undefined, 'en'],
    [undefined, '', 'en'],
    [undefined, '*', 'en'],
    [undefined, 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    [undefined, 'zh-Hant-TW, en;q=0.1', 'zh'],
    [undefined, 'eo, tlh;q=0.9', 'en'],
    [undefined, 'de;q=0.2, uk;q=0.9, *;q=0', 'uk'],
    [undefined, 'en;q=0, de;q=0.1', 'de'],
    [undefined, 'iw-IL', 'he'],
    [undefined, ';;;q=,,=,'.repeat(500), 'en'],
  ] as const) {
    t.equal(chooseLanguage(asked, header).tag, tag, `${asked}, ${header?.slice(0, 40)}`);
  }
  for (const [tag, spoken] of [
    ['de-AT', 'de'],
    ['AR', 'ar'],
    ['tlh', 'en'],
    ['', 'en'],
  ] as const)
    t.equal(languageOf(tag).tag, spoken, tag);
});

t.test('there are fifteen languages, each with its own name and direction', async (t) => {
  t.ok(LANGUAGES.size >= 15);
  t.equal(new Set([...LANGUAGES.values()].map(({ name }) => name)).size, LANGUAGES.size);
  const leftwards = [...LANGUAGES.values()].filter(({ direction }) => direction === 'rtl');
  t.same(
    leftwards.map(({ tag }) => tag),
    ['ar', 'he'],
  );
});
