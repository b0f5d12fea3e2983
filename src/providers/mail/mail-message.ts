import type { SendMailOptions } from 'nodemailer';
import { type Mail, MailError, parseRecordIdFromMessageId } from './mail.port.ts';

/** RFC 5321, 4.5.3.1.3: a path has 256 octets with its brackets. */
const MAX_ADDRESS_BYTES = 254;
const MAX_SUBJECT_LENGTH = 200;

/** One address without white space, control or format characters, separators, comments, quotes or routes. */
const ADDRESS_PATTERN = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"%]+$/u;
/** A name in quotes can have any visible character, `"` and `\` after a `\`. */
const SENDER_PATTERN = /^(?:"((?:[^\p{C}"\\]|\\\P{C})*)"|([^\p{C}<>"@,;]*?))\s*<([^<>]+)>$/u;
const UNSUBSCRIBE_URL_PATTERN = /^https?:\/\/[\w.~:/?#@!$&'()*+,;=%[\]-]{1,800}$/;
const CONTROL_CHARACTERS_PATTERN = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]+/gu;
/** Bidirectional controls and the like, which spam filters distrust; the joiners shape letters and emojis. */
const FORMAT_CHARACTERS_PATTERN = /[^\P{Cf}\u200c\u200d]+/gu;

/** Convert a mail for nodemailer; nothing in it can add a recipient or header. @throws permanent MailError */
export function toNodemailerMessage(mail: Mail): SendMailOptions {
  const recordId = parseRecordIdFromMessageId(mail.messageId);
  if (!recordId) throw new MailError('Invalid message id.', true);
  if (!isSingleMailAddress(mail.to)) throw new MailError('Invalid recipient address.', true);
  const from = parseMailSender(mail.from);
  return {
    from,
    to: { name: '', address: mail.to },
    envelope: { from: from.address, to: [mail.to] },
    messageId: mail.messageId,
    subject: [
      ...mail.subject.replace(FORMAT_CHARACTERS_PATTERN, '').replace(CONTROL_CHARACTERS_PATTERN, ' ').trim(),
    ]
      .slice(0, MAX_SUBJECT_LENGTH)
      .join(''),
    text: mail.text,
    html: mail.html,
    headers: createMailHeaders(mail),
    textEncoding: 'quoted-printable',
    baseBoundary: recordId.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? ''),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function createMailHeaders({ unsubscribeUrl }: Mail): Record<string, string> {
  // RFC 3834: prevents automatic replies.
  const headers = { 'Auto-Submitted': 'auto-generated' };
  if (unsubscribeUrl === undefined) return headers;
  if (!UNSUBSCRIBE_URL_PATTERN.test(unsubscribeUrl)) throw new MailError('Invalid unsubscribe URL.', true);
  // RFC 8058: one-click unsubscribe.
  return {
    ...headers,
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

function isSingleMailAddress(text: string): boolean {
  return Buffer.byteLength(text, 'utf8') <= MAX_ADDRESS_BYTES && ADDRESS_PATTERN.test(text);
}

/** Parse `Name <address>`, `"Name" <address>` or an address. @throws permanent MailError */
function parseMailSender(text: string): { name: string; address: string } {
  const [, quoted, name = '', bracketed] = SENDER_PATTERN.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim();
  if (!isSingleMailAddress(address)) throw new MailError('Invalid sender address.', true);
  return { name: (quoted?.replace(/\\(.)/gu, '$1') ?? name).trim(), address };
}
