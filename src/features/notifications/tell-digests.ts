import type { Tx } from '../../platform/database.ts';
import { insertDeliveries } from './delivery.repository.ts';
import { type Digest, keepDigests, putOffDigest, showDigest, takeGathered } from './digest.repository.ts';
import { type DigestReason, digestOf, newestOf } from './digest.rules.ts';
import type { DispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due.repository.ts';
import { mailNotification } from './mail-notification.ts';
import { isToldEvent } from './notification-kinds.rules.ts';
import { quietSpanAt } from './quiet-hours.rules.ts';
import type { Batch } from './read-batch.ts';
import { isWanted } from './settings.rules.ts';

const MINUTE = 60_000;

/** What a digest tells of, by its type. */
const REASON_OF: Record<Digest['type'], DigestReason> = { DEFAULT: 'DIGEST', ALERT: 'TOO_MANY' };

/** Somebody for whom something waits for a digest. */
export interface Gathering {
  userId: string;
  until: Date;
  reason: DigestReason;
}

/** Has digests tell of what was just noted for them; where one was told in this very moment, the next does. */
export async function gather(tx: Tx, gathered: readonly Gathering[], now: Date): Promise<void> {
  const late = await keepDigests(tx, digestsFor(gathered));
  const soon = new Date(now.getTime() + MINUTE);
  const again = late.map(({ userId, type }): Gathering => ({ userId, until: soon, reason: REASON_OF[type] }));
  if (again.length > 0) await keepDigests(tx, digestsFor(again));
}

/**
 * Tells of what was gathered: one mail and one push a person, of all that waits for a digest of theirs. What was seen
 * meanwhile is left out, and a digest that would tell of nothing stays untold. In quiet hours that of ordinary scans waits for
 * their end.
 */
export async function tellDigests(
  services: DispatchServices,
  tx: Tx,
  batch: Batch,
  digests: readonly DueNotification[],
): Promise<void> {
  for (const type of ['ALERT', 'DEFAULT'] as const)
    await tell(services, tx, batch, { type, digests: digests.filter((one) => one.type === type) });
}

async function tell(
  services: DispatchServices,
  tx: Tx,
  { persons, now }: Batch,
  { type, digests }: { type: Digest['type']; digests: readonly DueNotification[] },
): Promise<void> {
  const open: DueNotification[] = [];
  for (const digest of digests) {
    const person = persons.get(digest.userId);
    const quiet = type === 'DEFAULT' && person && quietSpanAt(person.quietHours, person.timeZone, now);
    if (quiet) await putOffDigest(tx, digest.id, quiet.until);
    else open.push(digest);
  }
  const userIds = [...new Set(open.map(({ userId }) => userId))];
  if (userIds.length === 0) return;
  const gathered = await takeGathered(tx, userIds, REASON_OF[type]);
  for (const userId of userIds) {
    const person = persons.get(userId);
    const digest = open.find((one) => one.userId === userId);
    if (!person || !digest) continue;
    const wanted = gathered.filter(
      (one) =>
        one.userId === userId &&
        isToldEvent(one.event) &&
        isWanted(person.preferences, one.event, one.channel),
    );
    const content = digestOf(wanted, person.timeZone);
    if (!content) continue;
    const notificationId = digest.id;
    const data = { ...content.data, ...(type === 'ALERT' ? newestOf(wanted) : {}) };
    await showDigest(tx, notificationId, data, now);
    if (content.channels.includes('PUSH')) await services.pushOutbox.post(tx, { userId, notificationId });
    if (!content.channels.includes('EMAIL')) continue;
    const mailId = await mailNotification(services, tx, person, { ...digest, data });
    await insertDeliveries(tx, [{ notificationId, userId, channel: 'EMAIL', status: 'WAITING', mailId }]);
  }
}

function digestsFor(gathered: readonly Gathering[]): Digest[] {
  const digests = gathered.map(({ userId, until, reason }) => {
    const type: Digest['type'] = reason === 'DIGEST' ? 'DEFAULT' : 'ALERT';
    const key = `${type === 'DEFAULT' ? 'digest' : 'alarms'}:${until.toISOString()}`;
    return [`${userId} ${key}`, { userId, key, type, dueAt: until }] as const;
  });
  return [...new Map(digests).values()];
}
