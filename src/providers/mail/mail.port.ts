import { isId } from '../../shared/ids.ts';

/** One mail to one person. */
export interface Mail {
  /** Made by `messageIdFor`; the same for every try, so that a repeat can be recognised. */
  messageId: string;
  /** One address, nothing else. */
  to: string;
  /** `Name <address>` or an address. */
  from: string;
  subject: string;
  text: string;
  html: string;
  /** Where mails of this kind end; none where they cannot be ended. */
  unsubscribeUrl?: string;
}

/** What sends mails. */
export interface MailProvider {
  readonly name: string;
  /** Resolves once the mail is handed over; throws MailError otherwise. */
  send(mail: Mail): Promise<void>;
  /** Ends what is under way; `send` throws a temporary MailError afterwards. */
  close(): Promise<void>;
}

/** Why a mail was not handed over. The message holds no address and no word of the server: it may be logged. */
export class MailError extends Error {
  /** Whether another try is useless: the mail itself or its recipient was refused. */
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.name = 'MailError';
    this.permanent = permanent;
  }
}

/**
 * The Message-ID (RFC 5322, 3.6.4) of the mail that a record stands for: `<record id@domain>`.
 * Throws TypeError for anything but a record id and a plain domain.
 */
export function createMessageId(recordId: string, domain: string): string {
  if (!isId(recordId) || !/^[a-z0-9][a-z0-9.-]{0,252}$/i.test(domain)) {
    throw new TypeError('A message id is made of a record id and a domain.');
  }
  return `<${recordId}@${domain}>`;
}

/** The record id within a Message-ID of `messageIdFor`, or null. */
export function parseMessageIdRecord(messageId: string): string | null {
  return /^<([0-9a-f]{24})@[A-Za-z0-9][A-Za-z0-9.-]{0,252}>$/.exec(messageId)?.[1] ?? null;
}
