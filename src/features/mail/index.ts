export { failOrphanedMails } from './fail-orphaned-mails.ts';
export { createMailOutbox, hashRecipient, type MailOutbox } from './mail-outbox.ts';
export type { MailTemplateValues } from './mail-templates.ts';
export { deleteFinishedMails, markRecipientMailsFailed } from './outbox.repository.ts';
export { createSendMailJob, MAIL_QUEUE } from './send-mail.job.ts';
