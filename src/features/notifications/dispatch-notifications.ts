import type { Tx } from '../../platform/database.ts';
import { decideOn } from './decide-on.ts';
import { claimHeld, type HeldDelivery, insertDeliveries, type NewDelivery } from './delivery.repository.ts';
import type { DispatchServices } from './dispatch-services.ts';
import { claimDue, type DueNotification, findDue } from './due.repository.ts';
import { CHANNELS } from './notification-kinds.rules.ts';
import { readBatch } from './read-batch.ts';
import { releaseHeld } from './release-held.ts';
import { type Gathering, gather, tellDigests } from './tell-digests.ts';

/** Notifications of one transaction at most. */
export const AT_ONCE = 100;

/** Sends all that is due at a moment. Answers how many notifications and held deliveries that were. */
export async function dispatchDue(services: DispatchServices, now = new Date()): Promise<number> {
  for (let total = 0; ; ) {
    const count = await dispatchBatch(services, now);
    if (count === 0) return total;
    total += count;
  }
}

/**
 * Decides on notifications that are due, `limit` at most, and on as many deliveries that were held back until now, in one
 * transaction: what is sent is sent exactly when nobody decides on it again. Answers how many there were.
 */
export async function dispatchBatch(services: DispatchServices, now: Date, limit = AT_ONCE): Promise<number> {
  const count = await services.database.transaction(async (tx) => {
    const due = (await claimDue(tx, now, limit)).sort(byTime);
    const held = await claimHeld(tx, now, limit);
    if (due.length + held.length > 0) await dispatch(services, tx, { due, held, now });
    return due.length + held.length;
  });
  if (count > 0) {
    services.mailOutbox.wake();
    services.pushOutbox.wake();
  }
  return count;
}

async function dispatch(
  services: DispatchServices,
  tx: Tx,
  { due, held, now }: { due: DueNotification[]; held: HeldDelivery[]; now: Date },
): Promise<void> {
  const heldIds = held.map(({ notificationId }) => notificationId);
  const known = held.length > 0 ? await findDue(tx, heldIds) : [];
  const batch = await readBatch(tx, { due, held: known, now });
  const [digests, told] = [due.filter(isDigest), due.filter((one) => !isDigest(one))];
  const rows: NewDelivery[] = [];
  const gathered: Gathering[] = [];
  for (const one of told) {
    for (const channel of CHANNELS) {
      const decided = await decideOn(services, tx, batch, one, channel);
      if (decided.row) rows.push(decided.row);
      if (decided.gathered) gathered.push({ userId: one.userId, ...decided.gathered });
    }
  }
  await insertDeliveries(tx, rows);
  await gather(tx, gathered, now);
  for (const delivery of held) await releaseHeld(services, tx, batch, known, delivery);
  if (digests.length > 0) await tellDigests(services, tx, batch, digests);
  await services.announce(tx, told);
}

function isDigest({ event }: DueNotification): boolean {
  return event === 'SCANS_DIGEST';
}

/** What happened first is heard first. */
function byTime(one: DueNotification, other: DueNotification): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}
