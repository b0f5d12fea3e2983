import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import { mailAttempts } from '../../platform/monitoring/metrics.ts';
import type { MailProvider } from '../../providers/mail/mail.port.ts';
import type { Brand } from '../../shared/brand.ts';
import { failOrphanedMails } from './fail-orphaned-mails.ts';
import { createMailOutbox } from './mail-outbox.ts';
import { deleteFinishedMails } from './outbox.repository.ts';
import { createSendMailJob, MAIL_QUEUE } from './send-mail.job.ts';
import { suppressionRoutes } from './suppression.routes.ts';

interface MailServices {
  database: Database;
  events: DomainEventBus;
  fieldCipher: FieldCipher;
  jobs: JobScheduler;
  mailProvider: MailProvider;
  mailFrom: string;
  mailDomain: string;
  brand: Brand;
  publicBaseUrl: string;
  log: { error(details: object, message: string): void };
}

const CONCURRENCY = 4;

export const mailManifest: FeatureManifest = { name: 'mail', queues: [MAIL_QUEUE] };

export function createMailFeature(services: MailServices) {
  services.events.subscribe('mail.settled', async (_tx, outcomes) => {
    for (const { mailIds, status } of outcomes) mailAttempts.inc({ outcome: status }, mailIds.length);
  });
  const feature: Feature = {
    async plugin(app) {
      await app.register(suppressionRoutes, { prefix: '/api/mails', ...services });
    },
    jobs: [{ queue: MAIL_QUEUE, handler: createSendMailJob(services), concurrency: CONCURRENCY }],
    cleanUp: [
      () => failOrphanedMails(services),
      () => deleteFinishedMails(services.database.client, getDateDaysAgo(30)),
    ],
  };
  return { feature, services: { mailOutbox: createMailOutbox(services) } };
}

export type { MailOutbox } from './mail-outbox.ts';
export type { MailTemplateValues } from './mail-templates.ts';
export { countWaitingMails } from './outbox.repository.ts';
export { mailPersonalData } from './personal-data.ts';
export { type RecipientMails, readRecipientMails } from './recipient-mails.ts';
export { MAIL_QUEUE } from './send-mail.job.ts';
export { createSuppressionUrl } from './suppression-token.ts';
export { INVITATION_EVENTS } from './unsolicited-mail-limits.ts';
export {
  createMailUnsubscribeUrl,
  createUserUnsubscribeUrls,
  verifyMailUnsubscribeToken,
} from './unsubscribe-token.ts';
