import type { KeyRing } from '../shared/crypto/key-ring.ts';
import { newId } from '../shared/ids.ts';
import type { Database } from './database.ts';
import { reasonOf } from './error-reason.ts';
import { forgetKeyHolder, noteKeys } from './key-holders.repository.ts';

/** Milliseconds between two notes of an instance. */
const EVERY = 3_000;

/** Says in the database, as long as the instance runs, which encryption keys it has and in which mode it is. */
export interface KeyNotes {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Builds the notes of one instance. A note also has the keys looked at, so that an instance without requests learns
 * of new ones. A database that is away is waited for.
 */
export function createKeyNotes(services: {
  database: Database;
  keyRing: KeyRing;
  enterpriseForAll: boolean;
  log: { warn(details: object, message: string): void };
}): KeyNotes {
  const { database, keyRing, enterpriseForAll, log } = services;
  const instance = { id: newId(), enterpriseForAll };
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let stopped = true;

  async function note(): Promise<void> {
    try {
      await noteKeys(database.client, instance, keyRing.current());
    } catch (error) {
      log.warn({ err: error }, `keys: could not be noted (${reasonOf(error)})`);
    }
    if (!stopped) timer = setTimeout(again, EVERY);
  }

  function again(): void {
    underWay = note();
  }

  return {
    async start() {
      stopped = false;
      again();
      await underWay;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
      await forgetKeyHolder(database.client, instance.id).catch(() => {});
    },
  };
}
