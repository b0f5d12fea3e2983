import { chooseLocalizedName } from '../../../../src/features/billing/subscriptions/localized-name.ts';
import { t } from '../../../tap.ts';

t.test('a name is found by language, then by the language without its region, then in English', async (t) => {
  const names = { en: 'Free', de: 'Kostenlos', 'pt-br': 'Grátis' };
  t.equal(chooseLocalizedName(names, ['de-CH', 'en'], 'FREE'), 'Kostenlos');
  t.equal(chooseLocalizedName(names, ['pt-BR'], 'FREE'), 'Grátis');
  t.equal(chooseLocalizedName(names, ['fr', 'de'], 'FREE'), 'Kostenlos');
  t.equal(chooseLocalizedName(names, ['fr'], 'FREE'), 'Free');
  t.equal(chooseLocalizedName(names, ['constructor', '__proto__'], 'FREE'), 'Free');
  t.equal(chooseLocalizedName({ de: 'Kostenlos' }, ['fr'], 'FREE'), 'FREE');
});
