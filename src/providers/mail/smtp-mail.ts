import { createTransport } from 'nodemailer';
import { MailError, type MailProvider } from './mail.port.ts';
import { toMessage } from './mail-message.ts';

/** Everything of one send together, in milliseconds; below the 30 s after which its job is given to another. */
const SEND_TIMEOUT = 18_000;

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 12_000,
  socketCloseTimeout: 1_000,
};

/** Commands whose refusal says something about this mail; before them it says something about the server. */
const ABOUT_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)/;

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with credentials and nodemailer's options as query parameters. */
  url: string;
  /** For tests: milliseconds for one send instead of 18,000. */
  sendTimeout?: number;
}

/**
 * Sends through a mail server, one connection a mail, each over within 20 s whatever the server does.
 * Credentials go to another machine only over TLS unless the address says `?requireTLS=false`.
 * Throws an Error when the address cannot be read.
 */
export function createSmtpMail({ url, sendTimeout = SEND_TIMEOUT }: SmtpOptions): MailProvider {
  const closing = new AbortController();
  const transport = createTransport({ url, ...TIMEOUTS, ...encryption(url) });

  return {
    name: 'smtp',

    async send(mail) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(sendTimeout)]);
      const message = toMessage(mail);
      try {
        await transport.sendMail({ ...message, signal });
      } catch (error) {
        throw classified(error);
      }
    },

    async close() {
      closing.abort();
      transport.close();
    },
  };
}

function encryption(url: string): { requireTLS?: true } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^smtps?:$/.test(parsed.protocol))
    throw new Error('The address of the mail server cannot be read.');
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname);
  const decided = parsed.searchParams.has('requireTLS') || parsed.searchParams.has('ignoreTLS');
  return parsed.username && !local && !decided ? { requireTLS: true } : {};
}

/** The server's own words stay out of it: they repeat the recipient's address. */
function classified(error: unknown): MailError {
  const status = numberAt(error, 'responseCode');
  const command = textAt(error, 'command');
  const permanent = status >= 500 && ABOUT_THE_MAIL.test(command);
  const where = command ? ` at ${command}` : '';
  const what = status ? `answered ${status}` : `could not be reached (${textAt(error, 'code') || 'unknown'})`;
  return new MailError(`The mail server ${what}${where}.`, permanent);
}

function numberAt(error: unknown, key: string): number {
  const value = memberOf(error, key);
  return typeof value === 'number' ? value : 0;
}

function textAt(error: unknown, key: string): string {
  const value = memberOf(error, key);
  return typeof value === 'string' && /^[A-Z_ ]{1,20}$/.test(value) ? value : '';
}

function memberOf(error: unknown, key: string): unknown {
  return error instanceof Error ? Object.entries(error).find(([name]) => name === key)?.[1] : undefined;
}
