import type { Tx } from '../../platform/database.ts';
import { findFirstUnreadMessageIds } from '../conversations/message.repository.ts';
import type { Alarm } from './alarms.rules.ts';
import { boundAlarms } from './bound-alarms.ts';
import { isCounted, singlesSince, type Wishes } from './delivery.rules.ts';
import { type DueNotification, findFirstScans, findPersons, type PersonRow } from './due.repository.ts';
import { textsOf } from './notification.view.ts';
import { preferencesOf } from './settings.repository.ts';
import { DIGESTS, USUAL_SETTINGS } from './settings.rules.ts';

/** A person whom something is sent to. */
export interface Person extends Wishes {
  id: string;
  email: string;
  language: string;
}

/** What is known of the notifications of a batch before anything is decided. */
export interface Batch {
  now: Date;
  /** By their ids; those whose account was erased are missing. */
  persons: Map<string, Person>;
  /** Ordinary scans that an AUTOMATIC digest leaves to themselves. */
  firstScans: Set<string>;
  /** Messages that are the first of their conversation which the owner has not read. */
  firstMessages: Set<string>;
  /** How alarms are told, by the ids of their notifications. */
  alarms: Map<string, Alarm>;
}

/** Reads what decides on notifications that are due, in the order of their time, and on those that were held back, of all of them at once. */
export async function readBatch(
  tx: Tx,
  { due, held, now }: { due: readonly DueNotification[]; held: readonly DueNotification[]; now: Date },
): Promise<Batch> {
  const notifications = [...due, ...held];
  const ids = [...new Set(notifications.map(({ userId }) => userId))];
  const persons = new Map((await findPersons(tx, ids)).map((row) => [row.id, personOf(row)]));
  return {
    now,
    persons,
    firstScans: await findFirstScans(tx, windowsOf(persons, notifications)),
    alarms: await boundAlarms(tx, due),
    firstMessages: await firstMessagesOf(tx, notifications),
  };
}

/** Since when the ordinary scans of whom are to be counted, each window once. */
function windowsOf(persons: Batch['persons'], notifications: readonly DueNotification[]) {
  const windows = notifications.flatMap(({ userId, event, createdAt }) => {
    const person = persons.get(userId);
    if (!person || !isCounted(person, event)) return [];
    return [{ userId, since: singlesSince(person, createdAt) }];
  });
  return [...new Map(windows.map((one) => [`${one.userId} ${one.since.getTime()}`, one])).values()];
}

async function firstMessagesOf(tx: Tx, notifications: readonly DueNotification[]): Promise<Set<string>> {
  const ids = notifications.flatMap(({ event, data }) =>
    event === 'MESSAGE_RECEIVED' ? [textsOf(data).conversationId ?? ''] : [],
  );
  if (ids.length === 0) return new Set();
  return findFirstUnreadMessageIds(
    tx,
    ids,
    notifications.map(({ id }) => id),
  );
}

function personOf({ quietFrom: from, quietTo: to, ...row }: PersonRow): Person {
  const { id, email, language, timeZone, preferences } = row;
  return {
    ...{ id, email, language, timeZone },
    preferences: preferencesOf(preferences),
    quietHours: from !== null && to !== null ? { from, to } : null,
    digest: DIGESTS.find((digest) => digest === row.digest) ?? USUAL_SETTINGS.digest,
  };
}
