import {
  type MailRecipientOptions,
  type MailTemplateName,
  type MailTemplateValues,
  type RenderedMail,
  renderMail,
} from '../../src/features/mail/mail-templates.ts';
import {
  hasDedicatedMail,
  isConfigurableEvent,
  NOTIFICATION_KIND_BY_EVENT,
} from '../../src/features/notifications/notification-kinds.rules.ts';
import type { Brand } from '../../src/shared/brand.ts';
import type { Locale } from '../../src/shared/i18n/locales.ts';

const BASE_URL = 'https://qr.example.org';
const AT = new Date('2026-07-01T12:30:00Z');
const EARLIER = new Date('2026-07-01T12:12:00Z');
const PAGE_URL = `${BASE_URL}/s/6b03f8ac7c100acf086500b4`;

type SentTemplate = Exclude<MailTemplateName, 'NOTIFICATION'>;

const TEMPLATE_VALUES: { [T in SentTemplate]: MailTemplateValues[T] } = {
  OTP: { otp: '481502', minutes: 10, registeredAt: AT },
  OTP_CHOICE: { otp: '481502', minutes: 10 },
  PASSWORD_CHOICE: { link: `${BASE_URL}/api/auth/reset-password#token=a`, minutes: 30 },
  ALREADY_REGISTERED: { link: 'https://app.example.org/sign-in' },
  PASSWORD_RESET: { link: `${BASE_URL}/api/auth/reset-password#token=a`, minutes: 30 },
  PASSWORD_RESET_DONE: {},
  PASSWORD_CHANGED: {},
  SESSION_ENDED_BY_REUSE: {},
  BREAK_GLASS_OPENED: { at: AT, minutes: 15 },
  IDENTITY_LINKED: { provider: 'Google' },
  IDENTITY_UNLINKED: { provider: 'Google' },
  SECOND_FACTOR_ON: {},
  SECOND_FACTOR_OFF: {},
  SECOND_FACTOR_REMOVED: {},
  RECOVERY_CODES_RENEWED: {},
  API_KEY_CREATED: { prefix: 'qrps_live_7mQx' },
  WEBHOOK_OBJECTS_ENABLED: { host: 'hooks.example.org' },
  RECOVERY_CODE_USED: { left: 7 },
  ENTERPRISE_MODE_ON: {},
  ENTERPRISE_MODE_OFF: {},
  NEW_DEVICE_LOGIN: { agent: 'Firefox 141, Windows', network: '203.0.113.0/24', at: AT },
  DATA_EXPORTED: { keptUntil: null, link: null },
  ACCOUNT_ERASED: {},
  ORGANIZATION_DELETED: { organization: 'Animal Shelter', deleteAfter: AT },
  ORGANIZATION_REQUIRES_SECOND_FACTOR: { organization: 'Animal Shelter' },
  MEMBER_REMOVED: { organization: 'Animal Shelter' },
  INVITATION_ACCEPTED: { organization: 'Animal Shelter', member: 'Grace Hopper', email: 'grace@example.org' },
  ORGANIZATION_INVITATION: {
    organization: 'Animal Shelter',
    inviter: 'Ada Lovelace',
    expiresAt: AT,
    link: 'https://app.example.org/invitations/4fT0',
  },
  CODE_MODERATED: {
    event: 'code.taken_down',
    data: { code: 'Rex', category: 'FRAUD' },
    text: 'The page uses the name and the logo of a shelter that does not know you.',
    canAppeal: true,
  },
  REPLY_RECEIVED: { link: `${PAGE_URL}/c/a` },
  CONFIRM_ADDRESS: { link: `${PAGE_URL}/c/a/confirm` },
  SCAN_REPORT: {
    frequency: 'WEEKLY',
    heading: 'Rex',
    facts: [
      { name: 'Scans', value: '128 · 12% more than in the 7 days before (114)' },
      { name: 'People', value: '96 · as many as in the 7 days before' },
      { name: null, value: '9 November 2026 to 15 November 2026, Europe/Berlin time' },
    ],
    url: `${BASE_URL}/api/scans/report/a`,
    isSigned: true,
  },
};

/** Mails that anybody can cause by typing an address. */
const UNSOLICITED_TEMPLATES: readonly MailTemplateName[] = [
  'OTP',
  'OTP_CHOICE',
  'ALREADY_REGISTERED',
  'CONFIRM_ADDRESS',
];

/** Render each mail in a language: file name and message. */
export function renderExampleMails(brand: Brand, locale: Locale): (RenderedMail & { name: string })[] {
  const render = <T extends MailTemplateName>(
    name: string,
    template: T,
    values: MailTemplateValues[T],
    urls: MailRecipientOptions,
  ) => ({
    name: name.toLowerCase().replaceAll(/[_.]/g, '-'),
    ...renderMail(template, values, locale, { brand, publicBaseUrl: BASE_URL }, urls),
  });
  const templates = (Object.keys(TEMPLATE_VALUES) as SentTemplate[]).map((template) =>
    render(template, template, TEMPLATE_VALUES[template], {
      timeZone: 'Europe/Berlin',
      address: UNSOLICITED_TEMPLATES.includes(template) ? `${BASE_URL}/api/mails/suppress/a` : undefined,
    }),
  );
  const events = Object.keys(NOTIFICATION_KIND_BY_EVENT).filter(
    (event) => !isConfigurableEvent(event) || !hasDedicatedMail(event),
  );
  return [
    ...templates,
    render('DATA_EXPORT_READY', 'DATA_EXPORTED', { keptUntil: AT, link: `${BASE_URL}/app` }, {}),
    ...events.map((event) =>
      render(`event-${event}`, 'NOTIFICATION', createNotificationValues(event), {
        kind: `${BASE_URL}/api/mails/unsubscribe?token=a`,
      }),
    ),
  ];
}

function createNotificationValues(event: string): MailTemplateValues['NOTIFICATION'] {
  const isAboutCode = /^(code|scan)\./.test(event);
  return {
    event,
    data: {
      code: 'Rex',
      document: 'Impfpass Rex',
      remembered: 'Erna Meyer',
      role: 'ADMIN',
      ...(isAboutCode && { place: 'Berlin', country: 'DE' }),
      ...(event === 'scan.digest' && { count: '3', codes: 'Rex, Samsonite', since: EARLIER.toISOString() }),
      ...(event.includes('expir') && { expiresAt: AT.toISOString() }),
      ...(event.includes('anniversary') && { anniversaryOf: '1931-03-07T00:00:00Z' }),
      ...(/^(subscription|payment)\./.test(event) && {
        package: 'Family',
        amount: '499',
        currency: 'EUR',
        at: AT.toISOString(),
        periodStart: '2026-07-01T00:00:00Z',
        periodEnd: '2026-08-01T00:00:00Z',
      }),
    },
    at: event === 'scan.digest' ? null : AT,
    timeZone: 'Europe/Berlin',
    link: findLink(event, isAboutCode),
  };
}

function findLink(event: string, isAboutCode: boolean): MailTemplateValues['NOTIFICATION']['link'] {
  if (event === 'message.created' || event === 'conversation.assigned')
    return { name: 'answer', link: `${PAGE_URL}/c/a` };
  const link = `${BASE_URL}/s/o/a`;
  if (event === 'guest_book.signed') return { name: 'entry', link };
  if (event === 'code.pin_rejected') return { name: 'code', link };
  if (event.startsWith('payment.') && event !== 'payment.disputed') return { name: 'invoice', link };
  if (event.includes('scan')) return { name: 'location', link };
  return isAboutCode ? { name: 'page', link: PAGE_URL } : null;
}
