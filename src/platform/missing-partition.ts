const CHECK_VIOLATION_SQLSTATE = '23514';

/** A row has no partition: the months to come were not made, or a clock is wrong. Not a fault of the client. */
export class MissingPartitionError extends Error {
  readonly code = 'MISSING_PARTITION';

  constructor(cause: unknown) {
    super('The table has no partition for the row.', { cause });
    this.name = 'MissingPartitionError';
  }
}

/** PostgreSQL has one SQLSTATE for it and for broken checks. Prisma passes on the number only. */
export function isMissingPartition(error: unknown): boolean {
  return (
    error instanceof Error &&
    Reflect.get(error, 'code') === CHECK_VIOLATION_SQLSTATE &&
    Reflect.get(error, 'routine') === 'ExecFindPartition'
  );
}
