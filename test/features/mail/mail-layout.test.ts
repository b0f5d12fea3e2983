import { loadConfig } from '../../../src/config.ts';
import { type MailTemplateValues, renderMail } from '../../../src/features/mail/mail-templates.ts';
import { escapeHtml } from '../../../src/shared/html.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { t } from '../../tap.ts';

const publicBaseUrl = 'https://qr.example.org';
const brand = {
  ...loadConfig({}).brand,
  name: 'Tags & <Tails>',
  color: '#7a1f5c',
  privacyUrl: 'https://tags.example/privacy?a=1&b=2',
};
const URLS = { kind: `${publicBaseUrl}/api/mails/unsubscribe?token=a&x=1` };
const ANSWER = { name: 'answer', link: `${publicBaseUrl}/s/${'a'.repeat(24)}/c/b` } as const;
const NOTIFICATION = {
  event: 'message.created',
  data: { code: '<b>Bella</b>' },
  at: null,
  timeZone: 'UTC',
  link: ANSWER,
};

t.test('a mail has the brand, one button and links in words; the text has the addresses', async (t) => {
  for (const locale of LOCALES.values()) {
    const { html, text } = renderMail('NOTIFICATION', NOTIFICATION, locale, { brand, publicBaseUrl }, URLS);
    t.match(html, `lang="${locale.tag}" dir="${locale.direction}"`);
    t.equal(html.split('display:inline-block').length - 1, 1, 'one button');
    t.match(html, `href="${ANSWER.link}"`);
    t.match(html, 'Tags &#38; &#60;Tails&#62;');
    t.match(html, 'border-top:4px solid #7a1f5c');
    t.match(html, 'href="https://tags.example/privacy?a=1&#38;b=2"');
    t.notMatch(html, '<b>Bella', 'a title is text');
    t.notMatch(html.replace(/href="[^"]*"/g, ''), /https?:/, 'no bare address, nothing loaded');
    t.notMatch(html, /[:：]<\/a>/);
    t.ok(Buffer.byteLength(html) < 20_000);
    t.match(text, `\n${ANSWER.link}\n`);
    t.match(text, `\n${URLS.kind}\n`);
  }
});

const AT = new Date('2026-07-01T12:30:00Z');
const EVENT = { event: 'login.created', data: {} };

/** Each template with values and its reason. */
const REASONS: {
  [T in keyof MailTemplateValues]: [
    MailTemplateValues[T],
    'account' | 'entered' | 'finder' | 'formerAccount',
  ];
} = {
  OTP: [{ otp: '012345', minutes: 10, registeredAt: AT }, 'entered'],
  OTP_CHOICE: [{ otp: '012345', minutes: 10 }, 'entered'],
  PASSWORD_CHOICE: [{ link: URLS.kind, minutes: 10 }, 'entered'],
  ALREADY_REGISTERED: [{ link: null }, 'entered'],
  PASSWORD_RESET: [{ link: URLS.kind, minutes: 10 }, 'account'],
  PASSWORD_RESET_DONE: [{}, 'account'],
  PASSWORD_CHANGED: [{}, 'account'],
  SESSION_ENDED_BY_REUSE: [{}, 'account'],
  BREAK_GLASS_OPENED: [{ at: AT, minutes: 10 }, 'account'],
  IDENTITY_LINKED: [{ provider: 'google' }, 'account'],
  IDENTITY_UNLINKED: [{ provider: 'google' }, 'account'],
  SECOND_FACTOR_ON: [{}, 'account'],
  SECOND_FACTOR_OFF: [{}, 'account'],
  SECOND_FACTOR_REMOVED: [{}, 'account'],
  RECOVERY_CODES_RENEWED: [{}, 'account'],
  RECOVERY_CODE_USED: [{ left: 3 }, 'account'],
  API_KEY_CREATED: [{ prefix: 'qr_1' }, 'account'],
  WEBHOOK_OBJECTS_ENABLED: [{ host: 'hooks.example.org' }, 'account'],
  ENTERPRISE_MODE_ON: [{}, 'account'],
  ENTERPRISE_MODE_OFF: [{}, 'account'],
  NEW_DEVICE_LOGIN: [{ agent: 'Firefox', network: '192.0.2.0', at: AT }, 'account'],
  DATA_EXPORTED: [{ keptUntil: null, link: null }, 'account'],
  ACCOUNT_ERASED: [{}, 'formerAccount'],
  ORGANIZATION_DELETED: [{ organization: 'Shelter', deleteAfter: AT }, 'account'],
  ORGANIZATION_REQUIRES_SECOND_FACTOR: [{ organization: 'Shelter' }, 'account'],
  MEMBER_REMOVED: [{ organization: 'Shelter' }, 'account'],
  INVITATION_ACCEPTED: [{ organization: 'Shelter', member: 'Grace', email: 'grace@example.org' }, 'account'],
  ORGANIZATION_INVITATION: [
    {
      organization: 'Shelter',
      inviter: 'Ada',
      expiresAt: AT,
      link: 'https://app.example.org/invitations/4fT0',
    },
    'entered',
  ],
  NOTIFICATION: [{ ...EVENT, at: null, timeZone: 'UTC', link: null }, 'account'],
  CODE_MODERATED: [{ ...EVENT, text: null, canAppeal: false }, 'account'],
  REPLY_RECEIVED: [{ link: URLS.kind }, 'finder'],
  CONFIRM_ADDRESS: [{ link: URLS.kind }, 'entered'],
  SCAN_REPORT: [
    { frequency: 'WEEKLY', heading: 'A', facts: [{ name: null, value: 'B' }], url: null, isSigned: false },
    'account',
  ],
};

t.test('every mail says who gets it and why, in HTML and as text', async (t) => {
  const to = 'ann@example.org';
  for (const locale of LOCALES.values())
    for (const [name, [values, reason]] of Object.entries(REASONS)) {
      const template = name as keyof MailTemplateValues;
      const { html, text } = renderMail(template, values, locale, { brand, publicBaseUrl }, { to });
      const why = translate(locale, `mails.reason.${reason}`, { address: to, brand: brand.name });
      t.ok(text.includes(`\n\n${why}\n`), `${locale.tag}, ${template}`);
      t.ok(html.includes(escapeHtml(why)), `${locale.tag}, ${template}`);
    }
});

t.test('the preheader is the first text, and a code has a box of its own', async (t) => {
  const locale = LOCALES.get('en');
  if (!locale) throw new Error('No English.');
  const values = { otp: '012345', minutes: 10, registeredAt: new Date('2026-07-01T12:30:00Z') };
  const { html, text } = renderMail('OTP', values, locale, { brand, publicBaseUrl });
  t.match(html, /<div style="display:none[^>]*>Enter it to finish the sign-up from/);
  t.match(
    html,
    /<h1[^>]*>Your confirmation code<\/h1>\n<p [^>]*font:700 32px[^>]*user-select:all">012345<\/p>/,
  );
  t.equal(html.replace(/<title>.*<\/title>/, '').split('012345').length - 1, 1, 'the code once');
  t.match(text, /^Your confirmation code: 012345\n\nEnter it to finish/);
});

t.test('a logo is shown if mail programs know its format', async (t) => {
  const locale = LOCALES.get('en');
  if (!locale) throw new Error('No English.');
  const show = (contentType: 'image/png' | 'image/svg+xml') => {
    const style = { brand: { ...brand, logo: { bytes: Buffer.alloc(1), contentType } }, publicBaseUrl };
    return renderMail('PASSWORD_CHANGED', {}, locale, style).html;
  };
  t.match(show('image/png'), '<img src="https://qr.example.org/brand/logo"');
  t.notMatch(show('image/svg+xml'), '<img');
});

t.test('who is registered already gets a button only to an application that exists', async (t) => {
  const locale = LOCALES.get('en');
  if (!locale) throw new Error('No English.');
  const link = 'https://app.example.org/sign-in';
  const render = (link: string | null) =>
    renderMail('ALREADY_REGISTERED', { link }, locale, { brand, publicBaseUrl });
  const { html, text } = render(link);
  t.match(html, new RegExp(`href="${link}"[^>]*>Sign in</a>`));
  t.match(text, `\n${link}\n`);
  const none = render(null);
  t.notMatch(none.html, 'class="button"');
  t.notMatch(none.text, /https?:|null/);
});

t.test('a time is in the zone of the recipient, which it names', async (t) => {
  const locale = LOCALES.get('en');
  if (!locale) throw new Error('No English.');
  const values = { agent: 'Firefox', network: '192.0.2.0', at: AT };
  const render = (timeZone?: string) =>
    renderMail('NEW_DEVICE_LOGIN', values, locale, { brand, publicBaseUrl }, { timeZone }).text;
  t.match(render('Europe/Berlin'), /July 1, 2026 at 2:30:00\sPM GMT\+2\./);
  t.match(render(), /July 1, 2026 at 12:30:00\sPM UTC\./);
});
