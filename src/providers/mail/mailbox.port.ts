/** A mail in a list. */
export interface MailboxEntry {
  /** Name of the file, to be given to `readMailbox`. */
  file: string;
  to: string;
  from: string;
  subject: string;
  /** When the mail was written, or null where the file does not say. */
  at: Date | null;
}

export interface MailboxMail extends MailboxEntry {
  text: string;
  html: string;
}

/** The mails that stayed on this machine. */
export interface Mailbox {
  /** Newest first, `limit` at most. */
  list(limit?: number): Promise<MailboxEntry[]>;
  /** One mail by the name of its file; null for a name that is none or is not there. */
  read(file: string): Promise<MailboxMail | null>;
}
