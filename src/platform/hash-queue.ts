import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import fastq from 'fastq';
import type { KeySet } from '../shared/crypto/key-set.ts';
import { ServiceError } from '../shared/errors.ts';

export interface HashQueueOptions {
  /** bcrypt cost: 2 to the power of it rounds. */
  cost: number;
  /** Hashes computed at the same time; `hashConcurrency()` without it. */
  concurrency?: number;
  /** Hashes under way and waiting together; 2 × cores × 8 without it. What comes on top is refused at once. */
  depth?: number;
}

export type HashQueue = ReturnType<typeof createHashQueue>;
export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

const BCRYPT_ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What a stored password looks like: `<pepper id>:<bcrypt>`. */
const STORED = /^([a-z0-9]{1,16}):(\$2[aby]\$\d\d\$[./A-Za-z0-9]{53})$/;

/**
 * Hashes to compute at the same time: one a core, but two threads of libuv's pool (UV_THREADPOOL_SIZE, 4 of
 * them without it) stay free, because files and name look-ups wait for the same pool.
 */
export function hashConcurrency(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
  return Math.max(1, Math.min(availableParallelism(), threads - 2));
}

/**
 * bcrypt off the event loop, with a bounded line in front of it. `hash` and `compare` take at most 72 bytes
 * (bcrypt ignores the rest) and throw ServiceError BUSY, at once, when the line is full.
 */
export function createHashQueue(options: HashQueueOptions) {
  const depth = options.depth ?? 2 * availableParallelism() * 8;
  const queue = fastq.promise(
    (task: () => Promise<unknown>) => task(),
    options.concurrency ?? hashConcurrency(),
  );

  async function run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (queue.running() + queue.length() >= depth) throw new ServiceError('BUSY', { retryAfterSeconds: 1 });
    let result: { value: Result } | undefined;
    await queue.push(async () => {
      result = { value: await task() };
    });
    if (!result) throw new Error('The hash queue dropped a task.');
    return result.value;
  }

  return {
    cost: options.cost,
    hash: (input: string): Promise<string> => run(() => bcrypt.hash(input, options.cost)),
    compare: (input: string, hash: string): Promise<boolean> => run(() => bcrypt.compare(input, hash)),
  };
}

/**
 * Hashes passwords (or, as a second instance, PINs) as bcrypt over base64(HMAC-SHA-256(pepper, password)):
 * 44 bytes, so that nothing of a long password is cut off, and a stolen table alone cannot be guessed at.
 * Each instance has a queue of its own; `hash` and `verify` throw ServiceError BUSY when it is full.
 */
export function createPasswordHasher({ peppers, ...options }: HashQueueOptions & { peppers: KeySet }) {
  const queue = createHashQueue(options);
  const pepper = peppers.keys.get(peppers.primary);
  if (!pepper) throw new Error('The primary pepper is not in the set.');
  const dummy = unmatchableHash(options.cost);

  return {
    /** The stored form of a password: `<pepper id>:<bcrypt>`, under the primary pepper. */
    hash: async (password: string): Promise<string> =>
      `${peppers.primary}:${await queue.hash(keyed(pepper, password))}`,

    /**
     * Whether a password is the stored one. For null, and for a stored form that cannot be read or names a
     * pepper that is not given, the same work is done and the answer is false.
     */
    async verify(password: string, stored: string | null): Promise<boolean> {
      const known = stored === null ? null : readStored(stored);
      const itsPepper = known && peppers.keys.get(known.pepperId);
      if (known && itsPepper) return queue.compare(keyed(itsPepper, password), known.hash);
      await queue.compare(keyed(pepper, password), dummy);
      return false;
    },

    /** Whether a stored form is of another pepper or cost than new ones: hash again when the password is at hand. */
    needsRehash(stored: string): boolean {
      const known = readStored(stored);
      return known?.pepperId !== peppers.primary || bcrypt.getRounds(known.hash) !== options.cost;
    },
  };
}

function keyed(pepper: KeyObject, password: string): string {
  return createHmac('sha256', pepper).update(password, 'utf8').digest('base64');
}

function readStored(stored: string): { pepperId: string; hash: string } | null {
  const [, pepperId, hash] = STORED.exec(stored) ?? [];
  return pepperId && hash ? { pepperId, hash } : null;
}

/** A hash of the right form and cost that no known input has; made without computing one. */
function unmatchableHash(cost: number): string {
  const chance = Array.from(randomBytes(31), (byte) => BCRYPT_ALPHABET[byte % 64]);
  return bcrypt.genSaltSync(cost) + chance.join('');
}
