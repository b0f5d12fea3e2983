import { createTransport } from 'nodemailer';
import { MailError, type MailProvider } from './mail.port.ts';
import { toNodemailerMessage } from './mail-message.ts';

/** For a whole send; below the 30 s after which its job is retried. */
const SEND_TIMEOUT_MS = 18_000;

const TRANSPORT_TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 12_000,
  socketCloseTimeout: 1_000,
};

/** A rejection of these commands is about the mail; of earlier ones about the server. */
const MAIL_COMMAND_PATTERN = /^(?:MAIL FROM|RCPT TO|DATA)/;

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with credentials, and nodemailer options as query parameters. */
  url: string;
  /** Milliseconds; for tests. */
  sendTimeout?: number;
}

/**
 * One connection per mail, which ends within 20 s. Credentials go to another machine only over TLS, unless the URL has
 * `?requireTLS=false`.
 * @throws Error for an invalid URL
 */
export function createSmtpMailProvider({ url, sendTimeout = SEND_TIMEOUT_MS }: SmtpOptions): MailProvider {
  const closing = new AbortController();
  const transport = createTransport({ url, ...TRANSPORT_TIMEOUTS, ...getTlsOptions(url) });

  return {
    name: 'smtp',

    async send(mail) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(sendTimeout)]);
      const message = toNodemailerMessage(mail);
      try {
        await transport.sendMail({ ...message, signal });
      } catch (error) {
        throw toMailError(error, closing.signal.aborted);
      }
    },

    async close() {
      closing.abort();
      transport.close();
    },
  };
}

/** Milliseconds for each step of a verification. */
const VERIFY_TIMEOUT_MS = 4_500;

/** Connect to a mail server, encrypt as for a mail, and log in, without sending one. @throws MailError */
export async function verifySmtpServer(url: string): Promise<void> {
  const timeouts = {
    dnsTimeout: VERIFY_TIMEOUT_MS,
    connectionTimeout: VERIFY_TIMEOUT_MS,
    greetingTimeout: VERIFY_TIMEOUT_MS,
    socketTimeout: VERIFY_TIMEOUT_MS,
  };
  const transport = createTransport({ url, ...TRANSPORT_TIMEOUTS, ...timeouts, ...getTlsOptions(url) });
  try {
    await transport.verify();
  } catch (error) {
    throw toMailError(error, false);
  } finally {
    transport.close();
  }
}

function getTlsOptions(url: string): { requireTLS?: true } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^smtps?:$/.test(parsed.protocol)) throw new Error('Invalid mail server URL.');
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname);
  const hasExplicitTls = parsed.searchParams.has('requireTLS') || parsed.searchParams.has('ignoreTLS');
  return parsed.username && !isLocal && !hasExplicitTls ? { requireTLS: true } : {};
}

/** The server's text is left out: it contains the recipient's address. */
function toMailError(error: unknown, isClosing: boolean): MailError {
  const status = readNumber(error, 'responseCode');
  const command = readText(error, 'command');
  const permanent = status >= 500 && MAIL_COMMAND_PATTERN.test(command);
  const where = command ? ` at ${command}` : '';
  const what = status
    ? `answered ${status}`
    : `could not be reached (${readText(error, 'code') || 'unknown'})`;
  const code = status ? `SMTP_${status}` : readText(error, 'code') || 'NO_ANSWER';
  // EENVELOPE without a status: no address that the server could be asked about.
  const isAsked = !isClosing && (status > 0 || code !== 'EENVELOPE');
  return new MailError(`The mail server ${what}${where}.`, permanent, isAsked ? code : null);
}

function readNumber(error: unknown, key: string): number {
  const value = readProperty(error, key);
  return typeof value === 'number' ? value : 0;
}

function readText(error: unknown, key: string): string {
  const value = readProperty(error, key);
  return typeof value === 'string' && /^[A-Z_ ]{1,20}$/.test(value) ? value : '';
}

function readProperty(error: unknown, key: string): unknown {
  return error instanceof Error ? Object.entries(error).find(([name]) => name === key)?.[1] : undefined;
}
