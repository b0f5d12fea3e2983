import { ServiceError } from '../shared/errors.ts';

/** What became of one item of a group. */
export type GroupCommitResult<Value> = { value: Value } | { error: unknown };

interface GroupCommitOptions<Item, Value> {
  /**
   * Stores all of them in one transaction and answers what became of each, in their order, once it is committed.
   * Rejects when nothing was stored, or nobody knows.
   */
  write(items: readonly Item[]): Promise<readonly GroupCommitResult<Value>[]>;
  /** Whether a group failed for a fault in one of its items, with nothing stored: then its parts are tried apart. */
  isFaultOfItem(error: unknown): boolean;
  /** Items of one group at most. */
  maxGroupSize: number;
  /** Items that may wait; more are refused. */
  maxPending: number;
}

interface PendingItem<Item, Value> {
  item: Item;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/**
 * Puts items that arrive at the same time into one commit: what comes while a group is being written makes up the
 * next one, so an idle database is asked at once and a busy one as seldom as it can be. Each item gets its own outcome,
 * after its commit. Throws BUSY where too many wait already.
 */
export function createGroupCommit<Item, Value>(options: GroupCommitOptions<Item, Value>) {
  const { write, isFaultOfItem, maxGroupSize } = options;
  let pending: PendingItem<Item, Value>[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (pending.length > 0) {
      const group = pending.slice(0, maxGroupSize);
      pending = pending.slice(maxGroupSize);
      await commit(group);
    }
    isWriting = false;
  }

  async function commit(group: readonly PendingItem<Item, Value>[]): Promise<void> {
    let results: readonly GroupCommitResult<Value>[];
    try {
      results = await write(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('A group of another size came back.');
    } catch (error) {
      if (group.length > 1 && isFaultOfItem(error)) {
        const half = group.length >> 1;
        await commit(group.slice(0, half));
        await commit(group.slice(half));
      } else for (const { reject } of group) reject(error);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const result = results[index];
      if (result && 'value' in result) resolve(result.value);
      else reject(result?.error);
    }
  }

  return (item: Item): Promise<Value> => {
    if (pending.length >= options.maxPending) {
      return Promise.reject(new ServiceError('BUSY', { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      pending.push({ item, resolve, reject });
      if (!isWriting) void writeAll();
    });
  };
}
