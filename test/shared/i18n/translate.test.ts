import { html } from '../../../src/shared/html.ts';
import { chooseLocale, toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { formatMessage, isKnownMessageKey } from '../../../src/shared/i18n/format-message.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../src/shared/i18n/locales.ts';
import { translateNotification } from '../../../src/shared/i18n/notification-text.ts';
import { t as translate, translateHtml } from '../../../src/shared/i18n/translate.ts';
import { translateWaitingTime } from '../../../src/shared/i18n/wait.ts';
import { t } from '../../tap.ts';

const HOSTILE = "{other} '{x}' {n, plural, other {#}} # </b> {";

t.test('inserts the values of a message, and selects the plural for a number', async (t) => {
  t.equal(
    translate(DEFAULT_LOCALE, 'mails.OTP.subject', { otp: '{otp}' }),
    '{otp} is your confirmation code',
  );
  t.equal(translate(DEFAULT_LOCALE, 'finder.pinAttemptsLeft', { count: 1 }), 'You have 1 attempt left.');
  t.equal(translate(DEFAULT_LOCALE, 'finder.pinAttemptsLeft', { count: 4 }), 'You have 4 attempts left.');
  t.equal(
    translate(toSupportedLocale('pl'), 'finder.pinAttemptsLeft', { count: 22 }),
    'Masz jeszcze 22 próby.',
  );
  t.equal(
    translate(toSupportedLocale('de'), 'conversation.messageTooLong', { count: 2_000 }),
    translate(toSupportedLocale('de'), 'conversation.messageTooLong', { count: 1_000 }).replace(
      '1.000',
      '2.000',
    ),
  );
});

t.test('selects a text by its subject', async (t) => {
  t.equal(
    translate(DEFAULT_LOCALE, 'finder.lostTitle', { subject: 'other' }),
    'Found this? Please tell the owner.',
  );
  t.match(translate(DEFAULT_LOCALE, 'finder.lostTitle', { subject: 'person' }), 'card or bracelet');
});

t.test('inserts user input unchanged', async (t) => {
  for (const locale of LOCALES.values()) {
    t.match(translate(locale, 'finder.reward', { reward: HOSTILE }), HOSTILE, locale.tag);
    t.match(
      translateHtml(locale, 'finder.reward', { reward: html`<bdi>${HOSTILE}</bdi>` }).markup,
      html`<bdi>${HOSTILE}</bdi>`.markup,
      locale.tag,
    );
    t.notMatch(translateHtml(locale, 'finder.reward', { reward: '<b>' }).markup, '<b>', locale.tag);
  }
});

t.test('isolates the names in a notification where text runs from right to left', async (t) => {
  const notification = { event: 'code.reinstated', data: { code: '2 keys!' } };
  for (const locale of LOCALES.values()) {
    const { title, body } = translateNotification(locale, notification);
    const name = locale.direction === 'rtl' ? '\u20682 keys!\u2069' : '2 keys!';
    for (const text of [title, body]) {
      t.match(text, name, locale.tag);
      if (locale.direction === 'rtl') t.match(text, /^[\p{sc=Arab}\p{sc=Hebr}]/u, 'the first letter decides');
      else t.notMatch(text, '\u2068', locale.tag);
    }
  }
});

t.test('rejects a wrong key or missing argument at compile time, and never fails at run time', async (t) => {
  // @ts-expect-error There is no such key.
  t.equal(translate(DEFAULT_LOCALE, 'finder.nothing'), 'finder.nothing');
  // @ts-expect-error The argument is missing.
  t.equal(translate(DEFAULT_LOCALE, 'finder.reward'), 'Reward: {reward}');
  // @ts-expect-error The argument has another name.
  t.equal(translate(DEFAULT_LOCALE, 'finder.reward', { prize: '1' }), 'Reward: {reward}');
  // @ts-expect-error The message has no arguments.
  t.equal(translate(DEFAULT_LOCALE, 'finder.yes', { reward: '1' }), 'Yes');
  // @ts-expect-error A number is needed.
  const tries = translate(DEFAULT_LOCALE, 'finder.pinAttemptsLeft', { count: undefined });
  t.equal(tries, 'You have {count} attempts left.');
  // @ts-expect-error There is no such option.
  const unknownSubject = translate(DEFAULT_LOCALE, 'finder.lostTitle', { subject: 'pet' });
  t.equal(unknownSubject, 'Found this? Please tell the owner.');
  // @ts-expect-error Both messages need their argument.
  translate(DEFAULT_LOCALE, Math.random() < 2 ? 'finder.reward' : 'finder.yes');

  t.equal(formatMessage(DEFAULT_LOCALE, 'mails.OTP.subject', {}), '{otp} is your confirmation code');
  t.equal(
    formatMessage(DEFAULT_LOCALE, 'conversation.messageTooLong'),
    'That’s too long. You can use up to {count} characters.',
  );
  t.equal(formatMessage(DEFAULT_LOCALE, 'finder.lostTitle'), 'Found this? Please tell the owner.');
  t.equal(formatMessage({ tag: 'xx' }, 'finder.yes'), 'Yes', 'English where there is no such locale');
  // @ts-expect-error The argument is missing.
  t.equal(translateHtml(DEFAULT_LOCALE, 'finder.reward', {}).markup, 'Reward: {reward}');
  for (const key of ['toString', '__proto__', '', 'fields.toString']) {
    t.notOk(isKnownMessageKey(key), key);
    t.equal(formatMessage(DEFAULT_LOCALE, key, { kind: 'PET' }), key);
  }
});

t.test('formats a wait in whole minutes or hours, rounded up', async (t) => {
  for (const [seconds, expected] of [
    [1, '1 minute'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [900, '15 minutes'],
    [90 * 60, '90 minutes'],
    [90 * 60 + 1, '2 hours'],
    [24 * 60 * 60, '24 hours'],
  ] as const) {
    t.equal(translateWaitingTime(DEFAULT_LOCALE, seconds), `Try again in ${expected}.`);
  }
});

t.test('the locale is the requested one, else the best that a browser accepts, else English', async (t) => {
  for (const [requested, header, tag] of [
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
    t.equal(chooseLocale(requested, header).tag, tag, `${requested}, ${header?.slice(0, 40)}`);
  }
  for (const [tag, expected] of [
    ['de-AT', 'de'],
    ['AR', 'ar'],
    ['tlh', 'en'],
    ['', 'en'],
  ] as const)
    t.equal(toSupportedLocale(tag).tag, expected, tag);
});

t.test('there are fifteen locales, each with its own name and direction', async (t) => {
  t.ok(LOCALES.size >= 15);
  t.equal(new Set([...LOCALES.values()].map(({ name }) => name)).size, LOCALES.size);
  const rightToLeft = [...LOCALES.values()].filter(({ direction }) => direction === 'rtl');
  t.same(
    rightToLeft.map(({ tag }) => tag),
    ['ar', 'he'],
  );
});
