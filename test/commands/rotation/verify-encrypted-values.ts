import { ENCRYPTED_COLUMNS } from '../../../src/platform/encrypted-columns.ts';
import { findEncryptedValues, findStaleEncryptedValues } from '../../../src/platform/reencrypt.repository.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import type { TestApp } from '../../helper.ts';
import { createFilledValue, FILLED_COLUMNS } from './fill-encrypted-rows.ts';

export interface EncryptedValuesState {
  /** Filled rows that are missing, have another value or do not decrypt. */
  mismatches: number;
  unreadable: number;
  /** Values of all rows that are not in the current version under the primary key. */
  stale: number;
  values: number;
}

export async function verifyEncryptedValues(
  app: TestApp,
  filledRows: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<EncryptedValuesState> {
  const { database, fieldCipher, keyRing } = app.services;
  const state: EncryptedValuesState = { mismatches: 0, unreadable: 0, stale: 0, values: 0 };
  for (const column of ENCRYPTED_COLUMNS) {
    const ids = FILLED_COLUMNS[column.table] === column.column ? filledRows.get(column.table) : undefined;
    let checkedCount = 0;
    for (let after: string | null = ''; after !== null; ) {
      state.stale += (
        await findStaleEncryptedValues(database, column, after, keyRing.current().primary)
      ).stale.length;
      // With an unknown primary key every value counts as stale.
      const page = await findStaleEncryptedValues(database, column, after, 'none');
      for (const { id, ownerId, bytes } of await findEncryptedValues(database, column, page.stale)) {
        state.values += 1;
        const value = opened(column.table, column.column, id, ownerId, bytes);
        if (!ids?.has(id)) state.unreadable += value === undefined ? 1 : 0;
        else {
          checkedCount += 1;
          if (JSON.stringify(value) !== JSON.stringify(createFilledValue(column.table, id)))
            state.mismatches += 1;
        }
      }
      after = page.last;
    }
    state.mismatches += (ids?.size ?? 0) - checkedCount;
  }
  return state;

  function opened(table: string, column: string, rowId: string, ownerId: string, bytes: Uint8Array): unknown {
    try {
      return fieldCipher.decrypt({ table, column, rowId, ownerId }, bytes);
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }
}
