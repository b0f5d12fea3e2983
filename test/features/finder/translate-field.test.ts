import {
  renderEventTime,
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

t.test('the time of an event names its day and its offset once', async (t) => {
  const event = { startsAt: '2027-06-12T18:00:00+02:00', endsAt: '2027-06-12T23:00:00+02:00' };
  const render = (fields: Record<string, unknown>, tag = 'de') =>
    renderEventTime({ ...event, ...fields }, tag)?.markup.replaceAll(/\s/g, ' ');
  t.equal(render({}), 'Samstag, 12. Juni 2027, 18:00–23:00 Uhr (UTC+02:00)');
  t.match(render({}, 'ja'), /^2027\D6\D12\D.*18.*23.*\(UTC\+02:00\)$/);
  t.match(
    render({ endsAt: '2027-06-13T01:00:00+02:00' }),
    /12\. Juni 2027.*13\. Juni 2027.* \(UTC\+02:00\)$/,
  );
  t.equal(render({ endsAt: undefined }), 'Samstag, 12. Juni 2027 um 18:00 (UTC+02:00)');
  t.equal(
    render({ startsAt: '2027-06-12T18:00:00.5Z', endsAt: undefined }),
    'Samstag, 12. Juni 2027 um 18:00 (UTC)',
  );
  t.match(
    render({ allDay: true, endsAt: '2027-06-14T23:00:00+02:00' }),
    /^Samstag, 12.*Montag, 14\. Juni 2027$/,
  );
  t.equal(render({ allDay: true }), 'Samstag, 12. Juni 2027');
  for (const other of [
    { endsAt: '2027-06-12T23:00:00Z' },
    { startsAt: undefined },
    { startsAt: 'x' },
    { endsAt: '2027-06-01T00:00:00+02:00' },
  ])
    t.equal(render(other), undefined, JSON.stringify(other));
});
