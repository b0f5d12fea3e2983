import { loadConfig } from '../../../src/config.ts';
import { renderMail } from '../../../src/features/mail/mail-templates.ts';
import { createPaymentNotification } from '../../../src/features/notifications/create-notifications.ts';
import {
  createPushData,
  translatePushNotification,
} from '../../../src/features/notifications/push/push-content.rules.ts';
import { BILLING_EVENT_NAMES, type BillingChangedEvent } from '../../../src/shared/domain-events.ts';
import { toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../src/shared/i18n/locales.ts';
import { formatMoney } from '../../../src/shared/i18n/money.ts';
import { translateNotification } from '../../../src/shared/i18n/notification-text.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

const FACTS = {
  language: 'de-AT',
  timeZone: 'Europe/Vienna',
  names: { en: 'Family', de: 'Familie' },
  number: 'A-7',
  periodStart: new Date('2026-11-30T23:30:00Z'),
  periodEnd: new Date('2026-12-31T23:30:00Z'),
};

const createBillingEvent = (data: BillingChangedEvent['data'] = {}): BillingChangedEvent => ({
  ...{ accountId: generateId(), key: 'invoice:1' },
  data: { amount: '123450', currency: 'EUR', at: '2026-12-01T10:00:00Z', ...data },
});

/** Normalize whitespace, which differs between languages and versions of their data. */
const plain = (text: string) => text.replace(/\s/g, ' ');

t.test('formats amounts by language and currency', async (t) => {
  for (const [tag, minor, currency, written] of [
    ['en', 1_234_550, 'EUR', '€12,345.50'],
    ['de', 1_234_550, 'EUR', '12.345,50 €'],
    ['fr', -300, 'EUR', '-3,00 €'],
    ['ja', 1_500, 'JPY', '￥1,500'],
    ['en', 1_500, 'KWD', 'KWD 1.500'],
    ['en', 150_000, 'HUF', 'HUF 1,500'],
    ['en', 150_050, 'HUF', 'HUF 1,500.50'],
    ['en', 1_500, 'ISK', 'ISK 1,500'],
    ['en', 15_000, 'MGA', 'MGA 15,000'],
  ] as const)
    t.equal(plain(formatMoney(toSupportedLocale(tag), minor, currency)), written, `${tag} ${currency}`);
});

t.test('includes package, amount, period and invoice link in a receipt', async (t) => {
  const { data, event, key } = createPaymentNotification(createBillingEvent(), 'payment.received', FACTS);
  t.equal(key, 'invoice:1');
  const mail = renderMail(
    'NOTIFICATION',
    { event, data, at: null, timeZone: 'UTC', link: null },
    toSupportedLocale('de'),
    { brand: loadConfig({}).brand, publicBaseUrl: 'https://qr.example.org' },
  );
  t.equal(plain(mail.subject), 'Ihre Zahlung von 1.234,50 € ist eingegangen');
  t.match(
    plain(mail.text),
    'Sie haben 1.234,50 € für das Paket „Familie“ (1. Dezember 2026 – 1. Januar 2027) bezahlt. Rechnung A-7.',
  );
});

t.test(
  'translates every event in every language, with and without details, and names nothing in a push',
  async (t) => {
    const nothing = { ...FACTS, names: null, number: null, periodStart: null, periodEnd: null };
    for (const locale of LOCALES.values())
      for (const event of BILLING_EVENT_NAMES)
        for (const billingEvent of [
          createPaymentNotification(createBillingEvent(), event, FACTS),
          createPaymentNotification({ ...createBillingEvent(), data: {} }, event, nothing),
        ]) {
          const { title, body } = translateNotification(locale, billingEvent);
          t.notMatch(`${title} ${body}`, /[{}]|undefined|NaN|\.\./, `${locale.tag} ${event}`);
          const push = translatePushNotification(locale, billingEvent, null);
          t.equal(push.body, '');
          t.ok(push.title);
          t.notMatch(push.title, /\d|Famil/, `${locale.tag} ${event}`);
        }
    const { data } = createPaymentNotification(
      createBillingEvent({ invoiceId: generateId() }),
      'payment.failed',
      FACTS,
    );
    const pushed = createPushData({ ...PUSHED, event: 'payment.failed', data });
    t.same(Object.keys(pushed).sort(), ['event', 'invoiceId', 'notificationId']);
    t.not(
      translatePushNotification(DEFAULT_LOCALE, { event: 'payment.failed', data }, null).title,
      translate(DEFAULT_LOCALE, 'pushes.ABOUT_SUBSCRIPTION'),
    );
  },
);

const PUSHED = { id: generateId(), type: 'SYSTEM', createdAt: new Date(), readAt: null, dismissedAt: null };

t.test('notifies a user once, in their language, with the package name of the purchase', async (t) => {
  const { call, createUser, services, database, getMailBySubject } = await startTestApp(t);
  const { id, email, accessToken: token } = await createUser();
  await call('PUT', `/api/auth/profile/${id}`, { token, body: { language: 'de' } });
  const billingEvent = { ...createBillingEvent(), accountId: id };
  for (const packageCode of ['PERSONAL', 'PERSONAL'])
    await database.transaction((tx) =>
      services.events.publish(tx, 'payment.failed', {
        ...billingEvent,
        data: { ...billingEvent.data, packageCode },
      }),
    );
  const { body } = await call('GET', '/api/notifications?type=SYSTEM', { token });
  const failures = body.data.filter(({ event }: { event: string }) => event === 'payment.failed');
  t.equal(failures.length, 1);
  t.match(plain(failures[0].body), 'Wir konnten 1.234,50 € für das Paket „Persönlich“ nicht einziehen.');
  const mail = await getMailBySubject(email, /fehlgeschlagen/);
  t.match(mail?.text, 'Gedruckte Codes funktionieren weiter.');
  t.notMatch(mail?.text, 'unsubscribe', 'what is to be done is not switched off');
  await database.transaction((tx) =>
    services.events.publish(tx, 'payment.failed', { ...billingEvent, accountId: generateId() }),
  );
});
