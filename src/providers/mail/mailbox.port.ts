export interface MailboxEntry {
  /** File name, for `read`. */
  file: string;
  to: string;
  from: string;
  subject: string;
  /** When the mail was written; null when the file has no date. */
  at: Date | null;
}

export interface MailboxMail extends MailboxEntry {
  text: string;
  html: string;
}

/** Mails of a development setup, stored as files. */
export interface Mailbox {
  list(limit?: number): Promise<MailboxEntry[]>;
  /** Read a mail by its file name; null when invalid or absent. */
  read(file: string): Promise<MailboxMail | null>;
}
