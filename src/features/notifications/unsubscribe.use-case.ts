import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { clearFinderEmail } from '../conversations/index.ts';
import { findUser } from '../identity/index.ts';
import { deleteReportSchedulesOfUser, REPORT_MAIL_KIND } from '../scans/index.ts';
import { disableNotificationMails } from './change-settings.use-case.ts';
import type { ConfigurableEvent } from './notification-kinds.rules.ts';

/** The mails that a link unsubscribes from: of an event, of reports, or of replies to a finder. */
export type UnsubscribeTarget =
  | { userId: string; event: ConfigurableEvent; conversationId?: never }
  | { userId: string; event: typeof REPORT_MAIL_KIND; conversationId?: never }
  | { conversationId: string };

/** Disable mails of a kind. A repeat, or a deleted user or conversation, changes nothing. */
export function unsubscribe(
  database: Database,
  context: RequestContext,
  target: UnsubscribeTarget,
): Promise<void> {
  return database.forEveryAccount('USER_TRACES').transaction(async (tx) => {
    if (target.conversationId !== undefined) {
      if (await clearFinderEmail(tx, target.conversationId))
        await recordAuditEntry(tx, context, {
          action: 'FINDER_EMAIL_REMOVED',
          resourceType: 'CONVERSATION',
          resourceId: target.conversationId,
        });
      return;
    }
    const { userId, event } = target;
    if (event === REPORT_MAIL_KIND) {
      if (await deleteReportSchedulesOfUser(tx, userId))
        await recordAuditEntry(tx, context, { resourceId: userId, changes: ['reportSchedule'] });
      return;
    }
    const user = await findUser(tx, userId);
    if (user && user.status !== 'DELETED') await disableNotificationMails(tx, context, userId, event);
  });
}
