import { chooseLocale, parseAcceptLanguage } from '../../../src/shared/i18n/choose-locale.ts';
import { t } from '../../tap.ts';

t.test('lists the accepted languages by quality', async (t) => {
  t.same(parseAcceptLanguage(undefined), []);
  t.same(parseAcceptLanguage('*'), []);
  t.same(parseAcceptLanguage('de-CH, de;q=0.9, en;q=0.8, fr;q=0'), ['de-CH', 'de', 'en']);
  t.same(parseAcceptLanguage('en;q=0.1,de ; q=0.7, it'), ['it', 'de', 'en']);
  t.same(parseAcceptLanguage(';;,de;q=x,,en;q=0.5'), ['en']);
});

t.test('ignores what is beyond the first 500 characters', async (t) => {
  t.ok(parseAcceptLanguage('a,'.repeat(100_000)).length <= 250);
  t.equal(chooseLocale(undefined, `de;q=0.5${','.repeat(600)}fr`).tag, 'de');
});

t.test('chooses the requested locale, then the best accepted one, then the default', async (t) => {
  t.equal(chooseLocale('fr', 'de').tag, 'fr');
  t.equal(chooseLocale('xx', 'de-AT, en;q=0.5').tag, 'de');
  t.equal(chooseLocale(undefined, 'xx, fr;q=0.1').tag, 'fr');
  t.equal(chooseLocale(undefined, 'xx').tag, chooseLocale(undefined, undefined).tag);
});
