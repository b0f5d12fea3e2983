import { formatMessage, isKnownMessageKey } from '../../shared/i18n/format-message.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { translateNotification } from '../../shared/i18n/notification-text.ts';
import { t } from '../../shared/i18n/translate.ts';
import { type MailLine, type MailStyle, renderMailHtml, renderMailText } from './mail-layout.ts';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

export interface MailTemplateValues {
  OTP: { otp: string; minutes: number; registeredAt: Date };
  /** For an address that was registered with several passwords. */
  OTP_CHOICE: { otp: string; minutes: number };
  /** The code of such an address was entered. */
  PASSWORD_CHOICE: { link: string; minutes: number };
  /** A link where the application signs in; null without an application. */
  ALREADY_REGISTERED: { link: string | null };
  PASSWORD_RESET: { link: string; minutes: number };
  PASSWORD_RESET_DONE: Record<string, never>;
  PASSWORD_CHANGED: Record<string, never>;
  SESSION_ENDED_BY_REUSE: Record<string, never>;
  BREAK_GLASS_OPENED: { at: Date; minutes: number };
  IDENTITY_LINKED: { provider: string };
  IDENTITY_UNLINKED: { provider: string };
  SECOND_FACTOR_ON: Record<string, never>;
  SECOND_FACTOR_OFF: Record<string, never>;
  SECOND_FACTOR_REMOVED: Record<string, never>;
  RECOVERY_CODES_RENEWED: Record<string, never>;
  RECOVERY_CODE_USED: { left: number };
  /** Derived values only, no text of the client. */
  API_KEY_CREATED: { prefix: string };
  WEBHOOK_OBJECTS_ENABLED: { host: string };
  ENTERPRISE_MODE_ON: Record<string, never>;
  ENTERPRISE_MODE_OFF: Record<string, never>;
  /** Derived values only, no text of the client. */
  NEW_DEVICE_LOGIN: { agent: string; network: string; at: Date };
  /** When the archive is removed, and the page that has it; both null if it was sent immediately and not stored. */
  DATA_EXPORTED: { keptUntil: Date | null; link: string | null };
  ACCOUNT_ERASED: Record<string, never>;
  ORGANIZATION_DELETED: { organization: string; deleteAfter: Date };
  ORGANIZATION_REQUIRES_SECOND_FACTOR: { organization: string };
  MEMBER_REMOVED: { organization: string };
  /** To an address that may have no account. Names are bounded; the link is null without an application. */
  ORGANIZATION_INVITATION: { organization: string; inviter: string; expiresAt: Date; link: string | null };
  INVITATION_ACCEPTED: { organization: string; member: string; email: string };
  /** `at` only when the text does not contain the time. */
  NOTIFICATION: {
    event: string;
    data: Readonly<Record<string, string>>;
    at: Date | null;
    timeZone: string;
    link: {
      name: 'answer' | 'location' | 'scan' | 'code' | 'entry' | 'invoice' | 'more' | 'page';
      link: string;
    } | null;
  };
  /** A decision of administrators about a code, with what they wrote. */
  CODE_MODERATED: {
    event: string;
    data: Readonly<Record<string, string>>;
    text: string | null;
    canAppeal: boolean;
    /** Page to appeal on; earlier versions queued mails without it. */
    appealUrl?: string | null;
  };
  REPLY_RECEIVED: { link: string };
  CONFIRM_ADDRESS: { link: string };
  /** What it says is in the language of the user already. */
  SCAN_REPORT: {
    frequency: 'WEEKLY' | 'MONTHLY';
    heading: string;
    facts: readonly { name: string | null; value: string }[];
    url: string | null;
    /** Whether the link needs no login. */
    isSigned: boolean;
  };
}

export type MailTemplateName = keyof MailTemplateValues;

/** What depends on the recipient: the zone of times, and the lines and links below the text. */
export interface MailRecipientOptions {
  /** The address that it is sent to. */
  to?: string;
  /** Of times that the template has no zone for; UTC by default. */
  timeZone?: string | undefined;
  /** For mails of this kind. */
  kind?: string | undefined;
  /** For all mails that anybody can cause. */
  address?: string | undefined;
}

/** Render a template in a language as plain text and HTML of the same content, with its reason and unsubscribe links. */
export function renderMail<T extends MailTemplateName>(
  template: T,
  values: MailTemplateValues[T],
  locale: Locale,
  style: MailStyle,
  { to, timeZone = 'UTC', ...urls }: MailRecipientOptions = {},
): RenderedMail {
  const { subject, lines } = translateMail({ template, values } as TemplateWithValues, timeZone, locale);
  const footerLinks = [
    ...(urls.kind ? [{ label: t(locale, 'mails.unsubscribe.link'), url: urls.kind }] : []),
    ...(urls.address ? [{ label: t(locale, 'mails.suppression.link'), url: urls.address }] : []),
  ];
  const reason =
    to === undefined ? null : translateReason(template, { address: to, brand: style.brand.name }, locale);
  const content = { subject, lines, footerLinks, reason };
  return { subject, text: renderMailText(content), html: renderMailHtml(content, style, locale) };
}

/** Why somebody gets a mail, unless the address belongs to their account. */
const REASONS: Partial<Record<MailTemplateName, 'entered' | 'finder' | 'formerAccount'>> = {
  // The address may not belong to an account.
  OTP: 'entered',
  OTP_CHOICE: 'entered',
  PASSWORD_CHOICE: 'entered',
  ALREADY_REGISTERED: 'entered',
  CONFIRM_ADDRESS: 'entered',
  ORGANIZATION_INVITATION: 'entered',
  REPLY_RECEIVED: 'finder',
  // The account no longer exists.
  ACCOUNT_ERASED: 'formerAccount',
};

function translateReason(
  template: MailTemplateName,
  values: { address: string; brand: string },
  locale: Locale,
): string {
  return t(locale, `mails.reason.${REASONS[template] ?? 'account'}`, values);
}

type TemplateWithValues = {
  [T in MailTemplateName]: { template: T; values: MailTemplateValues[T] };
}[MailTemplateName];

interface TranslatedMail {
  subject: string;
  lines: readonly MailLine[];
}

function translateMail(
  { template, values }: TemplateWithValues,
  timeZone: string,
  locale: Locale,
): TranslatedMail {
  if (template === 'NOTIFICATION') return translateNotificationMail(values, locale);
  if (template === 'CODE_MODERATED') return translateModerationMail(values, locale);
  if (template === 'SCAN_REPORT') return translateReportMail(values, locale);
  if (template === 'ALREADY_REGISTERED') return translateRepeatedRegistrationMail(values, timeZone, locale);
  if (template === 'ORGANIZATION_INVITATION') return translateInvitation(values, timeZone, locale);
  if (template === 'DATA_EXPORTED') return translateExportMail(values, timeZone, locale);
  return translateTemplate(template, values, timeZone, locale);
}

function translateExportMail(
  { keptUntil, link }: MailTemplateValues['DATA_EXPORTED'],
  timeZone: string,
  locale: Locale,
): TranslatedMail {
  if (keptUntil === null) return translateTemplate('DATA_EXPORTED', {}, timeZone, locale);
  const { subject, lines } = translateTemplate('DATA_EXPORT_READY', { keptUntil }, timeZone, locale);
  const button = link === null ? [] : [{ url: link, label: t(locale, 'app.print.download') }];
  return { subject, lines: [...lines.slice(0, 1), ...button, ...lines.slice(1)] };
}

function translateNotificationMail(
  { at, timeZone, link, ...notification }: MailTemplateValues['NOTIFICATION'],
  locale: Locale,
): TranslatedMail {
  const { title, body } = translateNotification(locale, notification);
  const time =
    at &&
    new Intl.DateTimeFormat(locale.tag, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    }).format(at);
  const lines = [
    body,
    ...(time ? [t(locale, 'mails.NOTIFICATION.time', { time })] : []),
    ...(link
      ? [
          t(locale, `mails.NOTIFICATION.${link.name}`),
          { url: link.link, label: t(locale, `mails.button.${link.name}`) },
        ]
      : []),
  ];
  return { subject: title, lines };
}

function translateRepeatedRegistrationMail(
  { link }: MailTemplateValues['ALREADY_REGISTERED'],
  timeZone: string,
  locale: Locale,
): TranslatedMail {
  const { subject, lines } = translateTemplate('ALREADY_REGISTERED', {}, timeZone, locale);
  const button = link === null ? [] : [{ url: link, label: t(locale, 'ownerLink.logInButton') }];
  return { subject, lines: [...lines, ...button] };
}

/** The link stands before what to do about a stranger. */
function translateInvitation(
  { link, ...values }: MailTemplateValues['ORGANIZATION_INVITATION'],
  timeZone: string,
  locale: Locale,
): TranslatedMail {
  const { subject, lines } = translateTemplate('ORGANIZATION_INVITATION', values, timeZone, locale);
  const button = link === null ? [] : [{ url: link, label: t(locale, 'mails.button.invitation') }];
  return { subject, lines: [...lines.slice(0, -1), ...button, ...lines.slice(-1)] };
}

function translateModerationMail(
  { text, canAppeal, appealUrl, ...notification }: MailTemplateValues['CODE_MODERATED'],
  locale: Locale,
): TranslatedMail {
  const { title, body } = translateNotification(locale, notification);
  const lines = [
    body,
    ...(text === null ? [] : [t(locale, 'mails.CODE_MODERATED.text'), ...text.split(/\n+/)]),
    ...(canAppeal ? [t(locale, 'mails.CODE_MODERATED.appeal')] : []),
    ...(appealUrl ? [{ url: appealUrl, label: t(locale, 'app.takedown.link') }] : []),
  ];
  return { subject: title, lines };
}

function translateReportMail(
  { frequency, heading, facts, url, isSigned }: MailTemplateValues['SCAN_REPORT'],
  locale: Locale,
): TranslatedMail {
  const separator = t(locale, 'finder.labelSeparator');
  const lines = [
    ...facts.map(({ name, value }) => (name === null ? value : `${name}${separator}${value}`)),
    ...(url === null
      ? []
      : [
          t(locale, isSigned ? 'mails.SCAN_REPORT.link' : 'mails.SCAN_REPORT.application'),
          { url, label: t(locale, 'mails.button.report') },
        ]),
  ];
  const period = frequency === 'WEEKLY' ? 'WEEKLY' : 'other';
  return { subject: t(locale, 'mails.SCAN_REPORT.subject', { frequency: period, heading }), lines };
}

/** Translate with arguments named after the values; a date becomes `time`. */
function translateTemplate(
  template: string,
  values: object,
  timeZone: string,
  locale: Locale,
): TranslatedMail {
  const formatted = Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => {
      if (value instanceof Date) return ['time', formatTime(value, timeZone, locale)];
      return [name, typeof value === 'number' ? value : String(value)];
    }),
  );
  const paragraphs: string[] = [];
  for (let number = 1; isKnownMessageKey(`mails.${template}.paragraph${number}`); number++)
    paragraphs.push(formatMessage(locale, `mails.${template}.paragraph${number}`, formatted));
  const { link, otp } = formatted;
  const lines = paragraphs.map((text, index): MailLine => {
    if (typeof otp === 'string' && index === 0) return { highlight: text, code: otp };
    return text === link && template in LINK_BUTTONS
      ? { url: text, label: t(locale, LINK_BUTTONS[template as keyof typeof LINK_BUTTONS]) }
      : text;
  });
  return { subject: formatMessage(locale, `mails.${template}.subject`, formatted), lines };
}

const LINK_BUTTONS = {
  PASSWORD_RESET: 'mails.button.reset',
  PASSWORD_CHOICE: 'mails.button.reset',
  REPLY_RECEIVED: 'mails.button.reply',
  CONFIRM_ADDRESS: 'mails.button.confirm',
} as const;

/** With the name of the zone. */
function formatTime(at: Date, timeZone: string, { tag }: Locale): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'long', timeZone }).format(at);
}
