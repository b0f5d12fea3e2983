import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '../../../../src/platform/database.ts';
import { createTestGate } from '../../../gate.ts';
import type { TestApp } from '../../../helper.ts';

export interface PausedOperation {
  /** Resolves when the operation has reached the pause. */
  paused: Promise<void>;
  release(): void;
}

/** Pause the next request that compares a password right after the comparison. */
export function pauseNextPasswordCheck({ services: { passwords } }: TestApp): PausedOperation {
  const { runQueued } = passwords;
  const [reached, released] = [createTestGate(), createTestGate()];
  passwords.runQueued = async (operation) => {
    passwords.runQueued = runQueued;
    const result = await runQueued(operation);
    reached.open();
    await released.whenOpened;
    return result;
  };
  return { paused: reached.whenOpened, release: released.open };
}

/** Start a transaction that pauses between its two parts; `done` resolves at its end. */
export function pauseTransaction(
  { database }: TestApp,
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<unknown> = async () => {},
): PausedOperation & { done: Promise<void> } {
  const [reached, released] = [createTestGate(), createTestGate()];
  const done = database.transaction(async (tx) => {
    await first(tx);
    reached.open();
    await released.whenOpened;
    await second(tx);
  });
  return { paused: reached.whenOpened, release: released.open, done };
}

/** Wait until this many statements wait for a lock, or the operation has ended without. */
export async function waitForLock(app: TestApp, operation: Promise<unknown>, times = 1): Promise<void> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  operation.then(end, end);
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  // Only the role of the connections sees what they wait for.
  const { pool } = app.services.database;
  while (!isDone && (await pool.query(waiting)).rows.length < times) await pause(10);
}
