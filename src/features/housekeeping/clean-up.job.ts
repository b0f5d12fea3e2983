import { deleteExpiredAttemptBudgets } from '../../platform/attempt-budget.repository.ts';
import type { Database } from '../../platform/database.ts';
import { deleteExpiredIdempotencyKeys } from '../../platform/idempotency.repository.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition, JobScheduler } from '../../platform/jobs.ts';
import { deleteExpiredEvents } from '../../platform/realtime/event.repository.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { countJobsByQueue, deleteSupersededFailedJobs } from '../administration/index.ts';
import { deleteEndedCheckouts, deleteIdleSyncs, deleteOldWebhookEvents } from '../billing/index.ts';
import { deleteExpiredTestLinks } from '../codes/index.ts';
import { deleteExpiredConversations } from '../conversations/index.ts';
import { deleteAbandonedFiles } from '../files/index.ts';
import {
  deleteEndedSessions,
  deleteExpiredEnrollments,
  deleteExpiredLoginDelays,
  deleteExpiredPasswordResets,
  deleteExpiredPendingLogins,
  deleteExpiredRefreshTokens,
  deleteExpiredRegistrations,
  deleteExpiredSignInCodes,
  deleteExpiredSignInProofs,
} from '../identity/index.ts';
import { deleteFinishedMails, failOrphanedMails } from '../mail/index.ts';
import { deleteExpiredNotifications, failLostPushes } from '../notifications/index.ts';
import { cleanUpExports, resumeErasures } from '../personal-data/index.ts';
import { deleteExpiredCells, deleteExpiredVisitors } from '../scans/index.ts';

/** The queue of the hourly clean-up. */
export const CLEAN_UP_QUEUE: JobQueueDefinition = {
  name: 'clean-up',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

/** Conversations, notifications, and events of sockets, that go in one statement. */
const BATCH_SIZE = 500;
const EVENT_BATCH_SIZE = 5_000;

const DAY_MS = 24 * 60 * 60 * 1000;

interface CleanUpServices {
  database: Database;
  jobs: JobScheduler;
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
export function createCleanUpJob(services: CleanUpServices): JobHandler {
  const { database } = services;
  const { client } = database;
  return async () => {
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    await logFailedJobs(services);
    await deleteExpiredIdempotencyKeys(client);
    await deleteExpiredAttemptBudgets(client);
    await deleteExpiredLoginDelays(client);
    await deleteExpiredPendingLogins(client);
    await deleteExpiredEnrollments(client);
    await deleteExpiredPasswordResets(client, ago(7));
    await deleteExpiredSignInCodes(client, ago(1));
    await deleteExpiredSignInProofs(client);
    await deleteExpiredTestLinks(client, ago(7));
    await failOrphanedMails(services);
    await failLostPushes(services);
    await cleanUpExports(services);
    await deleteAbandonedFiles(services);
    await resumeErasures(services);
    await deleteFinishedMails(client, ago(30));
    await deleteExpiredRefreshTokens(client, ago(1));
    await deleteExpiredVisitors(client, ago(3));
    while ((await deleteExpiredConversations(client, BATCH_SIZE)) === BATCH_SIZE);
    while ((await deleteExpiredEvents(client, ago(7), EVENT_BATCH_SIZE)) === EVENT_BATCH_SIZE);
    while ((await deleteExpiredNotifications(client, new Date(), BATCH_SIZE)) > 0);
    while ((await deleteOldWebhookEvents(client, ago(90), EVENT_BATCH_SIZE)) === EVENT_BATCH_SIZE);
    await deleteIdleSyncs(client);
    await deleteEndedCheckouts(client, ago(30));
    await deleteExpiredCells(client, new Date(Date.now() - LIFETIMES_SECONDS.geocodedCell * 1000));
    await deleteEndedSessions(client, ago(90));
    await database.transaction((tx) => deleteExpiredRegistrations(tx, ago(7)));
  };
}

/** Says in the log how many jobs used up their tries, as long as there are any. */
async function logFailedJobs({ database, log }: CleanUpServices): Promise<void> {
  await deleteSupersededFailedJobs(database.client);
  const failed = (await countJobsByQueue(database.client)).filter((row) => row.dead > 0);
  if (failed.length === 0) return;
  const queues = Object.fromEntries(failed.map((row) => [row.queue, row.dead]));
  log.error({ queues }, 'jobs: some were given up; GET /api/admin/jobs/dead lists them');
}
