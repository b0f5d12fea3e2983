import {
  translateEnumValue,
  translateFieldName,
  translateQrCodeKind,
} from '../../../src/features/finder/formatters.ts';
import { toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { DEFAULT_LOCALE } from '../../../src/shared/i18n/locales.ts';
import { t } from '../../tap.ts';

t.test('names of fields and values depend on the kind of code', async (t) => {
  const locale = toSupportedLocale('de');
  t.equal(translateQrCodeKind(locale, 'CAR'), 'Auto');
  t.not(
    translateFieldName({ kind: 'MEDICAL', locale }, 'insurance'),
    translateFieldName({ kind: 'CAR', locale }, 'insurance'),
  );
  t.equal(translateEnumValue({ kind: 'PET', locale }, 'FEMALE'), 'Weiblich');
});

t.test('shows unknown fields and values unchanged', async (t) => {
  const context = { kind: 'PET', locale: DEFAULT_LOCALE };
  t.equal(translateFieldName(context, 'toString'), 'toString');
  t.equal(translateEnumValue(context, 'toString'), 'toString');
  t.equal(translateEnumValue(context, 'AB+'), 'AB+');
});
