import {
  parsePackageForm,
  toFormErrors,
  toPackageFormValues,
} from '../../../src/features/owner-pages/staff/package-form.rules.ts';
import { t } from '../../tap.ts';

const CONTENT = {
  names: { en: 'Personal', de: 'Persönlich' },
  prices: [
    { interval: 'month' as const, currency: 'EUR', amount: 499 },
    { interval: 'year' as const, currency: 'JPY', amount: 5000 },
    { interval: 'year' as const, currency: 'KWD', amount: 1500 },
  ],
  limits: {
    qrCodes: 50,
    memoryTags: 0,
    documents: null,
    members: 3,
    storageBytes: 1_500_000_001,
    scansKeptDays: 365,
  },
  features: ['LOGO', 'API'],
  onOffer: true,
};

t.test('a package that is not changed stays the same', async (t) => {
  const values = toPackageFormValues(CONTENT);
  t.match(values, {
    'prices[0].amount': '4.99',
    'prices[1].amount': '5000',
    'prices[2].amount': '1.500',
    'limits.storageBytes': '1430.5114755630493',
    'limits.documents': '',
  });
  const { content, errors, rows } = parsePackageForm(values);
  t.same(content, CONTENT);
  t.same(errors, []);
  t.same(rows, [0, 1, 2]);
});

t.test('amounts have a comma or a point, and no more digits than their currency', async (t) => {
  const parse = (amount: string, currency: string) => {
    const { content, errors } = parsePackageForm({
      'names.en': 'Personal',
      'prices[1].amount': amount,
      'prices[1].currency': currency,
    });
    return errors[0]?.field ?? content.prices[0]?.amount;
  };
  t.equal(parse('4,9', 'eur'), 490);
  t.equal(parse(' 12 ', 'EUR'), 1200);
  t.equal(parse('4.990', 'EUR'), 499);
  for (const [amount, currency] of [
    ['4.999', 'EUR'],
    ['0.5', 'JPY'],
    ['-1', 'EUR'],
    ['1e3', 'EUR'],
    ['1.000,00', 'EUR'],
  ] as const)
    t.equal(parse(amount, currency), 'prices[1].amount', `${amount} ${currency}`);
  t.equal(parse('1', ''), 'prices[1].currency');
});

t.test('errors stand at the fields of the form, whose rows without a price are no prices', async (t) => {
  const at = (field: string) => toFormErrors([{ field, code: 'NOT_ALLOWED', message: '' }], [0, 3])[0]?.field;
  t.equal(at('prices[1].currency'), 'prices[3].currency');
  t.equal(at('prices[1]'), 'prices[3].amount');
  t.equal(at('features[2]'), 'features');
  t.equal(at('limits.qrCodes'), 'limits.qrCodes');
});
