import {
  chooseLocalizedName,
  parseAcceptLanguage,
} from '../../../../src/features/billing/subscriptions/accepted-language.rules.ts';
import { t } from '../../../tap.ts';

t.test('sorts languages by quality', async (t) => {
  t.same(parseAcceptLanguage(undefined), []);
  t.same(parseAcceptLanguage('*'), []);
  t.same(parseAcceptLanguage('de-CH, de;q=0.9, en;q=0.8, fr;q=0'), ['de-ch', 'de', 'en']);
  t.same(parseAcceptLanguage('en;q=0.1,de ; q=0.7, it'), ['it', 'de', 'en']);
  t.same(parseAcceptLanguage(';;,<script>,de;q=x,,en;q=0.5'), ['en']);
  t.ok(parseAcceptLanguage('a,'.repeat(100_000)).length < 1000);
});

t.test('a name is found by language, then by the language without its region, then in English', async (t) => {
  const names = { en: 'Free', de: 'Kostenlos', 'pt-br': 'Grátis' };
  t.equal(chooseLocalizedName(names, ['de-CH', 'en'], 'FREE'), 'Kostenlos');
  t.equal(chooseLocalizedName(names, ['pt-BR'], 'FREE'), 'Grátis');
  t.equal(chooseLocalizedName(names, ['fr', 'de'], 'FREE'), 'Kostenlos');
  t.equal(chooseLocalizedName(names, ['fr'], 'FREE'), 'Free');
  t.equal(chooseLocalizedName(names, ['constructor', '__proto__'], 'FREE'), 'Free');
  t.equal(chooseLocalizedName({ de: 'Kostenlos' }, ['fr'], 'FREE'), 'FREE');
});
