import type { Static } from 'typebox';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { countWaitingMails, readRecipientMails } from '../mail/index.ts';
import {
  CONFIGURABLE_EVENTS,
  getNotificationSettings,
  isChannelEnabledByDefault,
  listLastEmailDeliveries,
  NOTIFICATION_DELIVERY_STATUSES,
  toNotificationPreferencesView,
} from '../notifications/index.ts';
import {
  findUserForAdministration,
  findUserTimeZone,
  type UserAdministrationRow,
} from './all-users.repository.ts';
import { findFailedMailJobs } from './jobs.repository.ts';
import { findMailProblems } from './mail-status.rules.ts';
import type { SupportMailStatus } from './mail-status.schemas.ts';
import { recordUserAccess } from './record-user-access.ts';
import { toSupportUserView } from './support.views.ts';

const MAX_DELIVERIES = 20;

/**
 * Read whether emails reach a user, and why not. Audited before anything is read; the user sees it in their own trail.
 * @throws NOT_FOUND
 */
export async function readMailStatus(
  services: { database: Database; fieldCipher: FieldCipher },
  context: RequestContext,
  id: string,
): Promise<{ row: UserAdministrationRow; view: Static<typeof SupportMailStatus> }> {
  const { database } = services;
  const db = database.client;
  const row = await findUserForAdministration(db, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  await recordUserAccess(database, context, [id]);
  const [{ isSuppressed, waiting }, outbox, deliveries, settings, timeZone] = await Promise.all([
    readRecipientMails(services, row.email),
    countWaitingMails(db),
    listLastEmailDeliveries(db, id, MAX_DELIVERIES),
    getNotificationSettings(db, id),
    findUserTimeZone(db, id),
  ]);
  const failedJobs = await findFailedMailJobs(
    db,
    waiting.map((mail) => mail.id),
  );
  const mails = waiting.map(({ id: mailId, ...mail }) => ({
    ...mail,
    failedJobId: failedJobs.get(mailId) ?? null,
  }));
  const { preferences, changeable, quietHours, digest } = toNotificationPreferencesView(settings, timeZone);
  const emailOff = CONFIGURABLE_EVENTS.filter(
    (event) => changeable[event]?.EMAIL === true && preferences[event]?.EMAIL === false,
  );
  const now = new Date();
  const problems = findMailProblems(
    {
      status: row.status,
      isSuppressed,
      outboxWaitingSince: outbox.waitingSince,
      waiting: mails,
      deliveries,
      switchedOff: emailOff.filter((event) => isChannelEnabledByDefault(event, 'EMAIL')),
    },
    now,
  );
  const view = {
    user: toSupportUserView(row),
    problems,
    suppressed: isSuppressed,
    waiting: mails.map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() })),
    outbox: { waiting: outbox.waiting, waitingSince: outbox.waitingSince?.toISOString() ?? null },
    deliveries: deliveries.map(({ event, status, reason, attempts, dueAt, statusChangedAt }) => ({
      event,
      status: NOTIFICATION_DELIVERY_STATUSES.find((name) => name === status) ?? ('FAILED' as const),
      reason,
      attempts,
      dueAt: dueAt?.toISOString() ?? null,
      statusChangedAt: statusChangedAt.toISOString(),
    })),
    settings: { emailOff, quietHours, digest, timeZone },
    at: now.toISOString(),
  };
  return { row, view };
}
