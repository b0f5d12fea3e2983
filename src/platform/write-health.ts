import { isChange, type TransactionStatus } from './unknown-outcome.ts';

/** Whether changes can be stored, by what the last ones came to. The heartbeat of an instance makes one every 3 seconds. */
export interface WriteHealth {
  /** SQLSTATE, or `UNCONFIRMED`; null while changes are stored. */
  getFailureCode(): string | null;
  noteFailure(statement: unknown, error: unknown): void;
  noteUnknownOutcome(): void;
  noteSuccess(statement: unknown, status: TransactionStatus, answer: unknown): void;
}

/** Disk full, out of resources, read-only, input or output failed: the next change fails, too. */
const FAILURE_CODES = new Set(['53100', '53000', '53200', '53400', '25006', '58030']);

export function createWriteHealth(): WriteHealth {
  let failureCode: string | null = null;
  return {
    getFailureCode: () => failureCode,
    noteFailure(statement, error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (typeof code === 'string' && FAILURE_CODES.has(code) && isChange(statement)) failureCode = code;
    },
    noteUnknownOutcome() {
      failureCode = 'UNCONFIRMED';
    },
    noteSuccess(statement, status, answer) {
      if (failureCode === null) return;
      // Within a transaction only its commit would tell, and a change of no rows writes nothing.
      const hasChanged = Number(Reflect.get(Object(answer), 'rowCount')) > 0;
      if (hasChanged && status !== 'T' && isChange(statement)) failureCode = null;
    },
  };
}
