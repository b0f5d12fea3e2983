export interface MailboxEntry {
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

export interface DevelopmentMailbox {
  list(limit?: number): Promise<MailboxEntry[]>;
  read(file: string): Promise<MailboxMail | null>;
}
