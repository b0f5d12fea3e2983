import { loadConfig } from '../../../src/config.ts';
import type { OutgoingMail } from '../../../src/features/mail/mail-outbox.ts';
import { renderMail } from '../../../src/features/mail/mail-templates.ts';
import {
  EVENTS_WITH_OWN_TIME,
  enqueueNotificationMail,
} from '../../../src/features/notifications/enqueue-notification-mail.ts';
import { translatePushNotification } from '../../../src/features/notifications/push/push-content.rules.ts';
import { createFieldCipher } from '../../../src/platform/field-cipher.ts';
import { createFixedKeyRing } from '../../../src/shared/crypto/key-ring.ts';
import { parseKeySet } from '../../../src/shared/crypto/key-set.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../src/shared/i18n/locales.ts';
import { translateNotification } from '../../../src/shared/i18n/notification-text.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { TEST_SECRETS } from '../../helper.ts';
import { t } from '../../tap.ts';

const MAIL_STYLE = { brand: loadConfig({}).brand, publicBaseUrl: 'https://qr.example.org' };
const AT = new Date('2026-07-01T12:30:00Z');
const qrCodeId = 'a'.repeat(24);
const scanId = '5'.repeat(24);
const id = 'f'.repeat(24);
const fieldCipher = createFieldCipher({
  keyRing: createFixedKeyRing(parseKeySet(TEST_SECRETS.ENCRYPTION_KEYS)),
  hashSecret: TEST_SECRETS.HASH_SECRET,
});

/** Create the mail of a notification in a language, with or without an application. */
async function mailOf(event: string, data: object, applicationUrl: string | null, tag = 'en') {
  const locale = LOCALES.get(tag);
  const posted: OutgoingMail<'NOTIFICATION'>[] = [];
  const mailOutbox = {
    enqueue: async (_tx: unknown, mail: OutgoingMail<'NOTIFICATION'>) => String(posted.push(mail)),
    wake() {},
  };
  const services = {
    fieldCipher,
    mailOutbox,
    publicBaseUrl: 'https://qr.example.org',
    ownerPagesUrl: null,
    applicationUrl,
  };
  const recipient = { id: 'b'.repeat(24), email: 'a@example.org', language: tag, timeZone: 'Asia/Kolkata' };
  const notification = { id, accountId: recipient.id, event, data, createdAt: AT };
  const member = { accountId: recipient.id, userId: recipient.id, role: 'OWNER', accessEpoch: 0 };
  const tx = { $queryRawUnsafe: async () => [member] };
  await enqueueNotificationMail(services as never, tx as never, recipient, notification);
  const [mail] = posted;
  if (!mail || !locale) throw new Error('No mail.');
  return renderMail('NOTIFICATION', mail.values, locale, MAIL_STYLE, { kind: mail.unsubscribeUrl });
}

t.test('uses the time zone of the reader and a link in every language', async (t) => {
  const data = { code: 'Bella', qrCodeId, scanId, place: 'Paris', country: 'FR' };
  for (const [tag, locale] of LOCALES) {
    const { subject, text, html } = await mailOf('code.scanned_while_lost', data, null, tag);
    const time = new Intl.DateTimeFormat(tag, {
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'Asia/Kolkata',
    });
    t.match(text, time.format(AT), `${tag}: in their time zone`);
    const country = new Intl.DisplayNames(tag, { type: 'region' }).of('FR');
    t.match(
      text.replace(/[\u2068\u2069]/g, ''),
      `Paris${translate(locale, 'finder.listSeparator')}${country}`,
    );
    t.match(text, new RegExp(`https://qr\\.example\\.org/s/o/${id}\\.\\d{10}\\.[\\w-]{43}\\n`));
    t.match(html, `>${translate(locale, 'mails.button.location')}</a>`);
    t.match(html, translate(locale, 'mails.NOTIFICATION.location').slice(0, 10));
    t.notMatch(subject, /Paris|look|\d/, `${tag}: nothing more in the subject`);
    const expiring = await mailOf('code.expiring', { ...data, expiresAt: AT.toISOString() }, null, tag);
    t.match(expiring.text, `https://qr.example.org/s/${qrCodeId}?lang=${tag}&look=`);
  }
});

t.test('leads to a page without a login where something can be done, else to the application', async (t) => {
  const application = 'https://app.example.org';
  const entry = { memoryTagId: 'd'.repeat(24), guestBookEntryId: 'e'.repeat(24), remembered: 'Erna' };
  const message = { code: 'Bella', qrCodeId, conversationId: 'b'.repeat(24), messageId: 'c'.repeat(24) };
  const digest = { count: '9', codes: 'Bella (9)', since: AT.toISOString(), timeZone: 'UTC' };
  for (const url of [null, application]) {
    t.match(
      (await mailOf('code.pin_rejected', { code: 'Bella', qrCodeId }, url)).html,
      '>Check the code</a>',
    );
    t.match((await mailOf('guest_book.signed', entry, url)).html, '>Review the entry</a>');
    t.match((await mailOf('scan.located', { qrCodeId, scanId }, url)).html, '>See the location</a>');
    const flood = { ...digest, qrCodeId, scanId, newestEvent: 'code.scanned_while_lost' };
    t.match((await mailOf('scan.digest', flood, url)).html, '>See the scan</a>');
    const located = { ...flood, newestEvent: 'scan.located' };
    t.match((await mailOf('scan.digest', located, url)).html, '>See the location</a>');
    const lost = { code: 'Bella', qrCodeId, scanId };
    t.match(
      (await mailOf('code.scanned_while_lost', lost, url)).html,
      '>See the scan</a>',
      'no location is promised where none is known',
    );
    const said = await mailOf('message.created', message, url);
    t.match(
      said.text,
      /https:\/\/qr\.example\.org\/s\/a{24}\/c\/b{24}\./,
      'a message is answered there, too',
    );
  }
  t.match((await mailOf('scan.digest', digest, application)).text, `${application}/notifications/${id}`);
  t.notMatch((await mailOf('scan.digest', digest, null)).text, /\/s\/|sign in/i);
  const role = await mailOf('role.changed', { role: 'ADMIN' }, null);
  t.notMatch(role.text, /sign in/i, 'where there is nothing to sign in to');
});

t.test('a mail has one time, with its zone', async (t) => {
  const data = { code: 'Bella', qrCodeId, scanId };
  const digest = { count: '9', codes: 'Bella (9)', since: AT.toISOString(), timeZone: 'Asia/Kolkata' };
  t.match((await mailOf('scan.created', data, null)).text, /Time: July 1, 2026 at 6:00\sPM GMT\+5:30/);
  t.match((await mailOf('scan.digest', digest, null)).text, /Since Jul 1, 2026, 6:00\sPM GMT\+5:30: Bella/);
  t.match((await mailOf('code.expired', data, null)).text, 'Time: July 1, 2026', 'its text has none');
  for (const [event, more] of [
    ['scan.digest', digest],
    ['code.expiring', { expiresAt: AT.toISOString() }],
    ['memory_tag.birth_anniversary', { remembered: 'Erna', anniversaryOf: '1931-03-07T00:00:00Z' }],
  ] as const)
    t.notMatch((await mailOf(event, { ...data, ...more }, null)).text, 'Time:', event);
});

t.test('no mail asks to sign in', async (t) => {
  const { default: messages } = await import('../../../locales/en.json', { with: { type: 'json' } });
  for (const [key, text] of Object.entries(messages))
    if (key.startsWith('mails.')) t.notMatch(text, /(?:^|[.:,!?] |please |then )(?:sign|log) in/i, key);
});

t.test('translates countries, but not cities', async (t) => {
  const german = LOCALES.get('de');
  const near = (place: string) =>
    german && translateNotification(german, { event: 'scan.created', data: { code: 'Bella', place } }).body;
  t.match(near('TD'), /Tschad/);
  t.match(near('Ii'), /Ii/);
});

t.test('names a city and a country of the same name once', async (t) => {
  const near = (tag: string, place: string, country: string) => {
    const locale = LOCALES.get(tag) ?? DEFAULT_LOCALE;
    return translateNotification(locale, { event: 'scan.created', data: { code: 'Bella', place, country } })
      .body;
  };
  t.match(near('en', 'Singapore', 'SG'), /location: Singapore\.$/);
  t.match(near('de', 'Singapore', 'SG'), /: Singapur\.$/);
  t.match(near('en', 'Berlin', 'DE'), /location: Berlin, Germany\.$/);
  t.equal(near('he', 'Singapore', 'SG').match(/סינגפור/g)?.length, 1);
});

t.test(
  'the events without the time of the notification are those whose text has a date or a time',
  async (t) => {
    const { default: messages } = await import('../../../locales/en.json', { with: { type: 'json' } });
    const events = Object.entries(messages).flatMap(([key, text]) => {
      const [, event] = /^notifications\.(.+?)(?:\.near)?\.(?:title|body)$/.exec(key) ?? [];
      return event !== undefined && /\{(?:date|time)\}/.test(text) ? [event] : [];
    });
    t.same([...new Set(events)].sort(), [...EVENTS_WITH_OWN_TIME].sort());
  },
);

t.test('names no code in a push about several codes', async (t) => {
  const data = {
    count: '3',
    codes: 'Rex (2), My illness (1)',
    since: AT.toISOString(),
    timeZone: 'UTC',
    qrCodeId,
  };
  const { title, body } = translatePushNotification(DEFAULT_LOCALE, { event: 'scan.digest', data }, 'PET');
  t.notMatch(`${title} ${body}`, /Rex|illness/);
  t.match(
    translatePushNotification(DEFAULT_LOCALE, { event: 'scan.created', data: { code: 'Rex' } }, 'PET').title,
    'Rex',
  );
});
