import { escapeHtml } from '../../shared/html.ts';
import { type Language, say } from '../../shared/languages/language.ts';
import { wordsOf } from '../notifications/notification-words.ts';

/** What a mail says. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** Every mail of the service and the values it needs. */
export interface MailValues {
  OTP: { otp: string; minutes: number; registeredAt: Date };
  /** Codes of several registrations of one address, newest first. */
  OTP_CHOICE: { codes: readonly { otp: string; registeredAt: Date }[]; minutes: number };
  ALREADY_REGISTERED: Record<string, never>;
  PASSWORD_RESET: { link: string; minutes: number };
  PASSWORD_RESET_DONE: Record<string, never>;
  PASSWORD_CHANGED: Record<string, never>;
  SESSION_ENDED_BY_REUSE: Record<string, never>;
  GLASS_BROKEN: { at: Date; minutes: number };
  IDENTITY_LINKED: { provider: string };
  IDENTITY_UNLINKED: { provider: string };
  SECOND_FACTOR_ON: Record<string, never>;
  SECOND_FACTOR_OFF: Record<string, never>;
  SECOND_FACTOR_REMOVED: Record<string, never>;
  RECOVERY_CODES_RENEWED: Record<string, never>;
  RECOVERY_CODE_USED: { left: number };
  ENTERPRISE_MODE_ON: Record<string, never>;
  ENTERPRISE_MODE_OFF: Record<string, never>;
  /** Family of the agent and network alone: nothing that a client sent. */
  NEW_DEVICE_LOGIN: { agent: string; network: string; at: Date };
  /** When the archive is removed; null where it was sent at once and not kept. */
  DATA_EXPORTED: { keptUntil: Date | null };
  ACCOUNT_ERASED: Record<string, never>;
  /** What a notification is of, when it happened where the text does not say so, and where to see more. */
  NOTIFICATION: {
    event: string;
    data: Readonly<Record<string, string>>;
    at: Date | null;
    timeZone: string;
    way: { name: 'answer' | 'more' | 'page'; link: string } | null;
  };
  ANSWER_RECEIVED: { link: string };
}

export type MailTemplate = keyof MailValues;

/**
 * The mail of a template with its values, in a language, as plain text and as HTML that says the same; where it can be ended,
 * with the address for it.
 */
export function renderMail<T extends MailTemplate>(
  template: T,
  values: MailValues[T],
  language: Language,
  unsubscribeUrl?: string,
): MailText {
  const words = mailWords({ template, values } as AnyMail, language);
  const { subject } = words;
  const ending = unsubscribeUrl ? [language.mails.NOTIFICATION.unsubscribe, unsubscribeUrl] : [];
  const lines = [...words.lines, ...ending];
  const paragraphs = lines.map((line) => `<p>${linked(escapeHtml(line))}</p>`).join('\n');
  const { tag, direction } = language;
  return {
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${tag}" dir="${direction}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>\n<body>\n${paragraphs}\n</body></html>\n`,
  };
}

type AnyMail = { [T in MailTemplate]: { template: T; values: MailValues[T] } }[MailTemplate];

interface Words {
  subject: string;
  lines: readonly string[];
}

function mailWords({ template, values }: AnyMail, language: Language): Words {
  const { mails } = language;
  if (template === 'OTP_CHOICE') return choiceOf(values, language);
  if (template === 'NOTIFICATION') return noticeOf(values, language);
  const isReady = template === 'DATA_EXPORTED' && values.keptUntil !== null;
  return filled(mails[isReady ? 'DATA_EXPORT_READY' : template], values, language);
}

/** A notification, its time where the reader is, and the way to more of it; filled in already: a title may hold what looks like a place. */
function noticeOf(
  { at, timeZone, way, ...notification }: MailValues['NOTIFICATION'],
  language: Language,
): Words {
  const { title, body } = wordsOf(language, notification);
  const { when, open, ...ways } = language.mails.NOTIFICATION;
  const time =
    at &&
    new Intl.DateTimeFormat(language.tag, {
      ...{ year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
      ...{ timeZone, timeZoneName: 'short' },
    }).format(at);
  const lines = [
    body,
    ...(time ? [say(when, { time })] : []),
    ...(way ? [ways[way.name], way.link] : []),
    // On the page of a code is not what happened.
    ...(way === null || way.name === 'page' ? [open] : []),
  ];
  return { subject: title, lines };
}

/** The codes of several registrations, each with the time of its own, between the first line and the rest. */
function choiceOf({ codes, minutes }: MailValues['OTP_CHOICE'], language: Language): Words {
  const { or, choice, ...words } = language.mails.OTP_CHOICE;
  const all = codes.map(({ otp }) => otp).reduce((one, other) => say(or, { one, other }));
  const { subject, lines } = filled(words, { codes: all, minutes }, language);
  const [first = '', ...rest] = lines;
  const choices = codes.map(({ otp, registeredAt }) =>
    say(choice, { otp, time: clockTime(registeredAt, language) }),
  );
  return { subject, lines: [first, ...choices, ...rest] };
}

/** A sentence's places are called as the values are; a moment is its time. */
function filled({ subject, lines }: Words, values: object, language: Language): Words {
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      value instanceof Date ? 'time' : name,
      value instanceof Date ? clockTime(value, language) : String(value),
    ]),
  );
  return { subject: say(subject, texts), lines: lines.map((line) => say(line, texts)) };
}

function clockTime(at: Date, { tag }: Language): string {
  const style = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(tag, style).format(at)} UTC`;
}

function linked(html: string): string {
  return /^https?:\/\/\S+$/.test(html) ? `<a href="${html}">${html}</a>` : html;
}
