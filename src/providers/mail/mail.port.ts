import { isId } from '../../shared/ids.ts';

export interface Mail {
  /** Made by `createMailMessageId`; the same for every attempt, so that duplicates can be recognized. */
  messageId: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl?: string;
}

export interface MailProvider {
  readonly name: string;
  /** Resolves when the mail is handed over. @throws MailError */
  send(mail: Mail): Promise<void>;
  /** Abort running sends; `send` then throws a temporary MailError. */
  close(): Promise<void>;
}

/** Safe to log: the message contains neither an address nor text of the server. */
export class MailError extends Error {
  /** Whether a retry is pointless: the mail or its recipient was rejected. */
  readonly permanent: boolean;
  /** SMTP status or error code of the connection; null if the server was not asked. */
  readonly code: string | null;

  constructor(message: string, permanent: boolean, code: string | null = null) {
    super(message);
    this.name = 'MailError';
    this.permanent = permanent;
    this.code = code;
  }
}

/** Create `<record id@domain>` (RFC 5322, 3.6.4). @throws TypeError for an invalid record id or domain */
export function createMailMessageId(recordId: string, domain: string): string {
  if (!isId(recordId) || !/^[a-z0-9][a-z0-9.-]{0,252}$/i.test(domain)) {
    throw new TypeError('A message id requires a record id and a domain.');
  }
  return `<${recordId}@${domain}>`;
}

export function parseRecordIdFromMessageId(messageId: string): string | null {
  return /^<([0-9a-f]{24})@[A-Za-z0-9][A-Za-z0-9.-]{0,252}>$/.exec(messageId)?.[1] ?? null;
}
