import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyRing } from '../shared/crypto/key-ring.ts';
import { type DamagedValue, ServiceError } from '../shared/errors.ts';
import type { Database } from './database.ts';
import { algorithmFor, ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts';
import { countPage, findStale, findValues, replaceValues, type StoredValue } from './reencrypt.repository.ts';
import type { Vault } from './vault.ts';

/** Values encrypted anew by one statement. */
const BATCH = 100;

/** Walks through everything until it is as it should be; more rounds than this mean that rows stay busy. */
const ROUNDS = 30;

interface Services {
  database: Pick<Database, 'pool'>;
  vault: Vault;
  keyRing: KeyRing;
}

export interface Run {
  progress: { step(done: number, total: number): void };
  stopping: AbortSignal;
  /** Told of each value that does not open, once. */
  onBroken(value: DamagedValue): Promise<void>;
}

export interface Reencrypted {
  renewed: number;
  broken: number;
  /** Whether all that opens is under the primary key; false when it was stopped, or rows stayed busy. */
  finished: boolean;
}

/** The number of values that are not of today's version under the primary key. */
export async function countStale({ database, keyRing }: Services, stopping: AbortSignal): Promise<number> {
  let total = 0;
  for (const column of ENCRYPTED_COLUMNS) {
    for (let after: string | null = ''; after !== null && !stopping.aborted; ) {
      const page = await findStale(database, column, after, keyRing.current().primary);
      total += page.stale.length;
      after = page.last;
    }
  }
  return total;
}

/** The number of values under each of some keys, by `table.column`; under `''` all values there are. */
export async function countByKey(
  database: Pick<Database, 'pool'>,
  keyIds: readonly string[],
): Promise<Map<string, Record<string, number>>> {
  const counted = new Map<string, Record<string, number>>();
  for (const column of ENCRYPTED_COLUMNS) {
    const sums: Record<string, number> = { '': 0 };
    for (let after: string | null = ''; after !== null; ) {
      const page = await countPage(database, column, after, keyIds);
      sums[''] = (sums[''] ?? 0) + page.values;
      for (const [id, found] of Object.entries(page.counts)) sums[id] = (sums[id] ?? 0) + found;
      after = page.last;
    }
    counted.set(`${column.table}.${column.column}`, sums);
  }
  return counted;
}

/**
 * Encrypts under the primary key everything that is not, while the service goes on. What is left to do can be read
 * from the rows themselves, so that it may be killed at any moment and run again; of several that run each value is
 * replaced once. `total` is for the progress. A value that does not open is told and left as it is.
 */
export async function reencrypt(services: Services, total: number, run: Run): Promise<Reencrypted> {
  const broken = new Set<string>();
  const state = { renewed: 0, rest: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    state.rest = 0;
    for (const column of ENCRYPTED_COLUMNS) await walk(column);
    if (run.stopping.aborted) return { renewed: state.renewed, broken: broken.size, finished: false };
    if (state.rest === 0) return { renewed: state.renewed, broken: broken.size, finished: true };
    await sleep(100);
  }
  return { renewed: state.renewed, broken: broken.size, finished: false };

  /** One walk along a table. What it met that was not as it should be is looked at again by the next round. */
  async function walk(column: EncryptedColumn): Promise<void> {
    const name = `${column.table}.${column.column}`;
    for (let after: string | null = ''; after !== null && !run.stopping.aborted; ) {
      const page = await findStale(services.database, column, after, services.keyRing.current().primary);
      const stale = page.stale.filter((id) => !broken.has(`${name} ${id}`));
      state.rest += stale.length;
      for (let from = 0; from < stale.length && !run.stopping.aborted; from += BATCH) {
        const batch = await findValues(services.database, column, stale.slice(from, from + BATCH));
        const { renewed, unreadable } = renew(services.vault, column, batch);
        state.renewed += (await replaceValues(services.database, column, renewed)).length;
        for (const id of unreadable) {
          broken.add(`${name} ${id}`);
          await run.onBroken({ table: column.table, column: column.column, rowId: id });
        }
        run.progress.step(Math.min(state.renewed + broken.size, total), total);
      }
      after = page.last;
    }
  }
}

function renew(vault: Vault, column: EncryptedColumn, values: readonly StoredValue[]) {
  const renewed: (StoredValue & { renewed: Buffer })[] = [];
  const unreadable: string[] = [];
  for (const value of values) {
    const { table, column: name } = column;
    const place = { table, column: name, rowId: value.id, ownerId: value.ownerId };
    try {
      const bytes = vault.renew(place, value.bytes, algorithmFor(column, value.marker));
      renewed.push({ ...value, renewed: bytes });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unreadable.push(value.id);
    }
  }
  return { renewed, unreadable };
}
