import type { KeyRing } from '../shared/crypto/key-ring.ts';
import { generateId } from '../shared/ids.ts';
import type { Database } from './database.ts';
import { getErrorCodeOrName } from './error-reason.ts';
import { deleteStoppedInstances, upsertInstance } from './instances.repository.ts';

const HEARTBEAT_INTERVAL_MS = 3_000;

export interface InstanceHeartbeat {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Create the heartbeat of an instance, which also checks for new keys. */
export function createInstanceHeartbeat(services: {
  database: Database;
  keyRing: KeyRing;
  isEnterpriseEnforced: boolean;
  log: { warn(details: object, message: string): void };
}): InstanceHeartbeat {
  const { database, keyRing, isEnterpriseEnforced, log } = services;
  const instance = { id: generateId(), isEnterpriseEnforced };
  let timer: NodeJS.Timeout | undefined;
  let pendingHeartbeat: Promise<void> = Promise.resolve();
  let isStopped = true;

  async function note(): Promise<void> {
    try {
      await upsertInstance(database.client, instance, keyRing.current());
    } catch (error) {
      log.warn({ err: error }, `keys: heartbeat could not be recorded (${getErrorCodeOrName(error)})`);
    }
    if (!isStopped) timer = setTimeout(again, HEARTBEAT_INTERVAL_MS);
  }

  function again(): void {
    pendingHeartbeat = note();
  }

  return {
    async start() {
      isStopped = false;
      again();
      await pendingHeartbeat;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await pendingHeartbeat;
      await deleteStoppedInstances(database.client, instance.id).catch(() => {});
    },
  };
}
