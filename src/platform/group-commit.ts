import { ServiceError } from '../shared/errors.ts';
import { getActiveSpan, type Span, traceSharedWork } from '../shared/tracing.ts';
import { groupCommitSize } from './monitoring/metrics.ts';

export type GroupCommitResult<Value> = { value: Value } | { error: unknown };

interface GroupCommitOptions<Item, Value> {
  /** In metrics and traces. */
  name: string;
  /** Store all items in one transaction, with results in order. Rejects when none was stored or that is unknown. */
  write(items: readonly Item[]): Promise<readonly GroupCommitResult<Value>[]>;
  /** Whether an item made the group fail, with nothing stored; its parts are then retried separately. */
  isFaultOfItem(error: unknown): boolean;
  maxGroupSize: number;
  maxPending: number;
}

interface PendingItem<Item, Value> {
  item: Item;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
  span: Span | undefined;
}

/** Create a group commit: items that arrive during a write form the next group. @throws BUSY when too many wait */
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
    groupCommitSize.observe({ group: options.name }, group.length);
    let results: readonly GroupCommitResult<Value>[];
    try {
      results = await traceSharedWork(
        `commit ${options.name}`,
        group.map(({ span }) => span),
        () => write(group.map(({ item }) => item)),
      );
      if (results.length !== group.length)
        throw new Error('The number of results differs from the number of items.');
    } catch (error) {
      if (group.length > 1 && isFaultOfItem(error)) {
        const middle = group.length >> 1;
        await commit(group.slice(0, middle));
        await commit(group.slice(middle));
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
      pending.push({ item, resolve, reject, span: getActiveSpan() });
      if (!isWriting) void writeAll();
    });
  };
}
