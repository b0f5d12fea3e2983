import type { Tx } from '../../platform/database.ts';
import { insertDeliveries } from './delivery.repository.ts';
import { type Digest, keepDigests, putOffDigest, showDigest, takeGathered } from './digest.repository.ts';
import { digestOf } from './digest.rules.ts';
import type { DispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due.repository.ts';
import { mailNotification } from './mail-notification.ts';
import { quietSpanAt } from './quiet-hours.rules.ts';
import type { Batch } from './read-batch.ts';
import { isWanted } from './settings.rules.ts';

const MINUTE = 60_000;

/** Has digests tell of what was just noted for them; where one was told in this very moment, the next does. */
export async function gather(
  tx: Tx,
  gathered: readonly { userId: string; until: Date }[],
  now: Date,
): Promise<void> {
  const late = await keepDigests(tx, digestsFor(gathered));
  const soon = new Date(now.getTime() + MINUTE);
  if (late.length > 0) await keepDigests(tx, digestsFor(late.map(({ userId }) => ({ userId, until: soon }))));
}

/**
 * Tells of what was gathered: one mail and one push a person, of all that waits for a digest of theirs. What was seen
 * meanwhile is left out, and a digest that would tell of nothing stays untold. In quiet hours it waits for their end.
 */
export async function tellDigests(
  services: DispatchServices,
  tx: Tx,
  { persons, now }: Batch,
  digests: readonly DueNotification[],
): Promise<void> {
  const open: DueNotification[] = [];
  for (const digest of digests) {
    const person = persons.get(digest.userId);
    const quiet = person && quietSpanAt(person.quietHours, person.timeZone, now);
    if (quiet) await putOffDigest(tx, digest.id, quiet.until);
    else open.push(digest);
  }
  const userIds = [...new Set(open.map(({ userId }) => userId))];
  const gathered = await takeGathered(tx, userIds);
  for (const userId of userIds) {
    const person = persons.get(userId);
    const digest = open.find((one) => one.userId === userId);
    if (!person || !digest) continue;
    const wanted = gathered.filter(
      (one) => one.userId === userId && isWanted(person.preferences, 'QR_CODE_SCANNED', one.channel),
    );
    const content = digestOf(wanted, person.timeZone);
    if (!content) continue;
    const notificationId = digest.id;
    await showDigest(tx, notificationId, content.data, now);
    if (content.channels.includes('PUSH')) await services.pushOffice.post(tx, { userId, notificationId });
    if (!content.channels.includes('EMAIL')) continue;
    const mailId = await mailNotification(services, tx, person, { ...digest, data: content.data });
    await insertDeliveries(tx, [{ notificationId, userId, channel: 'EMAIL', status: 'WAITING', mailId }]);
  }
}

function digestsFor(gathered: readonly { userId: string; until: Date }[]): Digest[] {
  const digests = gathered.map(({ userId, until }) => {
    const key = `digest:${until.toISOString()}`;
    return [`${userId} ${key}`, { userId, key, dueAt: until }] as const;
  });
  return [...new Map(digests).values()];
}
