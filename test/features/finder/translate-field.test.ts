import { translateField, translateKind, translateValue } from '../../../src/features/finder/formatters.ts';
import { toLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { DEFAULT_LOCALE } from '../../../src/shared/i18n/locales.ts';
import { t } from '../../tap.ts';

t.test('names of fields and values depend on the kind of code', async (t) => {
  const locale = toLocale('de');
  t.equal(translateKind(locale, 'CAR'), 'Auto');
  t.not(
    translateField({ kind: 'MEDICAL', locale }, 'insurance'),
    translateField({ kind: 'CAR', locale }, 'insurance'),
  );
  t.equal(translateValue({ kind: 'PET', locale }, 'FEMALE'), 'Weiblich');
});

t.test('shows unknown fields and values unchanged', async (t) => {
  const context = { kind: 'PET', locale: DEFAULT_LOCALE };
  t.equal(translateField(context, 'toString'), 'toString');
  t.equal(translateValue(context, 'toString'), 'toString');
  t.equal(translateValue(context, 'AB+'), 'AB+');
});
