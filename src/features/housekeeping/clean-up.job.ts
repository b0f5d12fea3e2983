import { deleteOldBudgets } from '../../platform/attempt-budget.repository.ts';
import type { Database } from '../../platform/database.ts';
import { deleteExpiredKeys } from '../../platform/idempotency.repository.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Jobs, Queue } from '../../platform/jobs.ts';
import { deleteOldEvents } from '../../platform/realtime/event.repository.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { deleteOldLoginDelays } from '../accounts/login-delay.repository.ts';
import { deleteOldPasswordResets } from '../accounts/password-reset.repository.ts';
import { deleteStaleRegistrations } from '../accounts/registration.repository.ts';
import { deleteOldRefreshTokens, deleteOldSessions } from '../accounts/session.repository.ts';
import { countJobs, deleteRepeatedDeadJobs } from '../administration/jobs.repository.ts';
import { deleteExpiredConversations } from '../conversations/conversation.repository.ts';
import { cleanUpFiles } from '../files/clean-up-files.ts';
import { deleteOldSignInCodes } from '../identities/sign-in-code.repository.ts';
import { deleteEndedProofs } from '../identities/spent-proof.repository.ts';
import { giveUpLostMails } from '../mails/give-up-lost-mails.ts';
import { deleteOldMails } from '../mails/outbox.repository.ts';
import { deleteOldNotifications } from '../notifications/notification.repository.ts';
import {
  deleteEndedCheckouts,
  deleteIdleSyncs,
  deleteOldWebhookEvents,
} from '../payments/webhook-event.repository.ts';
import { cleanUpExports } from '../personal-data/clean-up-exports.ts';
import { resumeErasures } from '../personal-data/finish-erasure.job.ts';
import { giveUpLostPushes } from '../push/give-up-lost-pushes.ts';
import { deleteOldTestLinks } from '../qrcodes/test-link.repository.ts';
import { deleteOldCells } from '../scans/geocoding.repository.ts';
import { deleteOldVisitors } from '../scans/scan-visitor.repository.ts';
import { deleteOldPendingLogins } from '../second-factor/pending-login.repository.ts';
import { deleteOldEnrollments } from '../second-factor/second-factor.repository.ts';

/** The queue of the hourly clean-up. */
export const CLEAN_UP_QUEUE: Queue = {
  name: 'clean-up',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

/** Conversations, notifications, and events of sockets, that go in one statement. */
const BATCH = 500;
const EVENTS = 5_000;

const DAY = 24 * 60 * 60 * 1000;

interface Services {
  database: Database;
  jobs: Jobs;
  log: { error(details: object, message: string): void };
  exportsDir: string;
  privateFiles: FileStore;
  config: { maxDocumentBytes: number };
}

/**
 * Forgets what has served: ended sessions after 90 days, unconfirmed registrations after 7, visitors of a day after 3,
 * archives and what sockets were told after 7, conversations 90 after their last message, notifications 90 after they were
 * read, events of payment providers after 90 and pages to pay on after 30, keys, tokens, links and budgets. Gives up mails and pushes that nobody sends any more, and has erasures gone on with
 * that nobody does.
 */
export function cleanUpJob(services: Services): JobHandler {
  const { database } = services;
  const { client } = database;
  return async () => {
    const ago = (days: number) => new Date(Date.now() - days * DAY);
    await sayDeadJobs(services);
    await deleteExpiredKeys(client);
    await deleteOldBudgets(client);
    await deleteOldLoginDelays(client);
    await deleteOldPendingLogins(client);
    await deleteOldEnrollments(client);
    await deleteOldPasswordResets(client, ago(7));
    await deleteOldSignInCodes(client, ago(1));
    await deleteEndedProofs(client);
    await deleteOldTestLinks(client, ago(7));
    await giveUpLostMails(services);
    await giveUpLostPushes(services);
    await cleanUpExports(services);
    await cleanUpFiles(services);
    await resumeErasures(services);
    await deleteOldMails(client, ago(30));
    await deleteOldRefreshTokens(client, ago(1));
    await deleteOldVisitors(client, ago(3));
    while ((await deleteExpiredConversations(client, BATCH)) === BATCH);
    while ((await deleteOldEvents(client, ago(7), EVENTS)) === EVENTS);
    while ((await deleteOldNotifications(client, new Date(), BATCH)) > 0);
    while ((await deleteOldWebhookEvents(client, ago(90), EVENTS)) === EVENTS);
    await deleteIdleSyncs(client);
    await deleteEndedCheckouts(client, ago(30));
    await deleteOldCells(client, new Date(Date.now() - LIFETIMES.geocodedCell * 1000));
    await deleteOldSessions(client, ago(90));
    await database.transaction((tx) => deleteStaleRegistrations(tx, ago(7)));
  };
}

/** Says in the log how many jobs used up their tries, as long as there are any. */
async function sayDeadJobs({ database, log }: Services): Promise<void> {
  await deleteRepeatedDeadJobs(database.client);
  const dead = (await countJobs(database.client)).filter((row) => row.dead > 0);
  if (dead.length === 0) return;
  const queues = Object.fromEntries(dead.map((row) => [row.queue, row.dead]));
  log.error({ queues }, 'jobs: some were given up; GET /api/admin/jobs/dead lists them');
}
