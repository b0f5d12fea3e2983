import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyRing } from '../shared/crypto/key-ring.ts';
import { type IntegrityFailure, ServiceError } from '../shared/errors.ts';
import type { Database } from './database.ts';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumnDefinition,
  getExpectedEnvelopeAlgorithm,
} from './encrypted-columns.ts';
import type { FieldCipher } from './field-cipher.ts';
import {
  countEncryptedValuesPage,
  type EncryptedValueRow,
  findEncryptedValues,
  findStaleEncryptedValues,
  updateEncryptedValues,
} from './reencrypt.repository.ts';

const BATCH_SIZE = 100;

/** More rounds than this mean that rows stay locked. */
const MAX_ROUNDS = 30;

interface ReencryptServices {
  database: Pick<Database, 'pool'>;
  fieldCipher: FieldCipher;
  keyRing: KeyRing;
}

export interface ReencryptOptions {
  progress: { step(done: number, total: number): void };
  signal: AbortSignal;
  onIntegrityFailure(value: IntegrityFailure): Promise<void>;
}

export interface ReencryptResult {
  reencrypted: number;
  integrityFailures: number;
  /** Whether all readable values are under the primary key; false when stopped, or rows stayed locked. */
  finished: boolean;
}

export async function countStaleEncryptedValues(
  { database, keyRing }: ReencryptServices,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (const column of ENCRYPTED_COLUMNS) {
    for (let after: string | null = ''; after !== null && !signal.aborted; ) {
      const page = await findStaleEncryptedValues(database, column, after, keyRing.current().primary);
      total += page.stale.length;
      after = page.last;
    }
  }
  return total;
}

export async function countEncryptedValuesByKey(
  database: Pick<Database, 'pool'>,
  keyIds: readonly string[],
): Promise<Map<string, Record<string, number>>> {
  const countsByColumn = new Map<string, Record<string, number>>();
  for (const column of ENCRYPTED_COLUMNS) {
    const sums: Record<string, number> = { '': 0 };
    for (let after: string | null = ''; after !== null; ) {
      const page = await countEncryptedValuesPage(database, column, after, keyIds);
      sums[''] = (sums[''] ?? 0) + page.values;
      for (const [id, found] of Object.entries(page.counts)) sums[id] = (sums[id] ?? 0) + found;
      after = page.last;
    }
    countsByColumn.set(`${column.table}.${column.column}`, sums);
  }
  return countsByColumn;
}

/** Re-encrypt everything; can be killed, and run in parallel. Values that fail to decrypt are reported and kept. */
export async function reencryptStaleValues(
  services: ReencryptServices,
  total: number,
  options: ReencryptOptions,
): Promise<ReencryptResult> {
  const unreadableRows = new Set<string>();
  const state = { reencrypted: 0, rest: 0 };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    state.rest = 0;
    for (const column of ENCRYPTED_COLUMNS) await walk(column);
    if (options.signal.aborted)
      return { reencrypted: state.reencrypted, integrityFailures: unreadableRows.size, finished: false };
    if (state.rest === 0)
      return { reencrypted: state.reencrypted, integrityFailures: unreadableRows.size, finished: true };
    await sleep(100);
  }
  return { reencrypted: state.reencrypted, integrityFailures: unreadableRows.size, finished: false };

  async function walk(column: EncryptedColumnDefinition): Promise<void> {
    const name = `${column.table}.${column.column}`;
    for (let after: string | null = ''; after !== null && !options.signal.aborted; ) {
      const page = await findStaleEncryptedValues(
        services.database,
        column,
        after,
        services.keyRing.current().primary,
      );
      const stale = page.stale.filter((id) => !unreadableRows.has(`${name} ${id}`));
      state.rest += stale.length;
      for (let from = 0; from < stale.length && !options.signal.aborted; from += BATCH_SIZE) {
        const batch = await findEncryptedValues(
          services.database,
          column,
          stale.slice(from, from + BATCH_SIZE),
        );
        const { reencrypted, unreadable } = reencryptBatch(services.fieldCipher, column, batch);
        state.reencrypted += (await updateEncryptedValues(services.database, column, reencrypted)).length;
        for (const id of unreadable) {
          unreadableRows.add(`${name} ${id}`);
          await options.onIntegrityFailure({ table: column.table, column: column.column, rowId: id });
        }
        options.progress.step(Math.min(state.reencrypted + unreadableRows.size, total), total);
      }
      after = page.last;
    }
  }
}

function reencryptBatch(
  fieldCipher: FieldCipher,
  column: EncryptedColumnDefinition,
  values: readonly EncryptedValueRow[],
) {
  const reencrypted: (EncryptedValueRow & { reencrypted: Buffer })[] = [];
  const unreadable: string[] = [];
  for (const value of values) {
    const { table, column: name } = column;
    const place = { table, column: name, rowId: value.id, ownerId: value.ownerId };
    try {
      const bytes = fieldCipher.reencrypt(
        place,
        value.bytes,
        getExpectedEnvelopeAlgorithm(column, value.marker),
      );
      reencrypted.push({ ...value, reencrypted: bytes });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unreadable.push(value.id);
    }
  }
  return { reencrypted, unreadable };
}
