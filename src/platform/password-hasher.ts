import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import type { KeySet } from '../shared/crypto/key-set.ts';
import { timingSafeEquals } from '../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../shared/errors.ts';
import { createConcurrencyLimiter } from '../shared/limiter.ts';

export interface PasswordHashQueueOptions {
  cost: number;
  concurrency?: number;
  maxQueued?: number;
  /** Shared by the queues whose hashes go first and those that wait for them. */
  priority?: HashPriority;
  /** For hashes that nobody waits for at a form, such as those of imports. */
  isBatch?: boolean;
}

/** Of a hash of a batch, which is then computed beside the others. */
const MAX_BATCH_WAIT_MS = 250;

export type HashPriority = ReturnType<typeof createHashPriority>;

/** Let hashes of batches wait while others are computed or queued. */
export function createHashPriority() {
  let pending = 0;
  const waiting = new Set<() => void>();
  return {
    async runFirst<Result>(compute: () => Promise<Result>): Promise<Result> {
      pending += 1;
      try {
        return await compute();
      } finally {
        pending -= 1;
        if (pending === 0) for (const resume of waiting) resume();
      }
    },
    async runAfterOthers<Result>(compute: () => Promise<Result>): Promise<Result> {
      if (pending > 0)
        await new Promise<void>((resolve) => {
          const resume = () => {
            clearTimeout(timer);
            waiting.delete(resume);
            resolve();
          };
          const timer = setTimeout(resume, MAX_BATCH_WAIT_MS);
          waiting.add(resume);
        });
      return compute();
    },
  };
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Shared: overload throws hundreds at once, and each stack trace would cost more than the response. */
const QUEUE_FULL_ERROR = new ServiceError('BUSY', { retryAfterSeconds: 1 });

export interface PasswordHashSlot {
  /** Hash as `<pepper id>:<bcrypt>`; with one salt (16 bytes, default random) the same password has the same hash. */
  hash(password: string, salt?: Uint8Array): Promise<string>;
  /** Always costs one hash, also without a stored one. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

const PREPARED_SLOTS = 2;

const BCRYPT_ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const BCRYPT_SALT_LENGTH = 29;

const STORED_HASH_PATTERN = /^([a-z0-9]{1,16}):(\$2[ab]\$\d\d\$[./A-Za-z0-9]{53})$/;

/** Use all cores but one, and two fewer than libuv's threads, which files and DNS also use. */
export function getPasswordHashConcurrency(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
  return Math.max(1, Math.min(availableParallelism() - 1, threads - 2));
}

/** Create a bounded queue for bcrypt, which ignores all after 72 bytes. `runQueued` throws BUSY before its work. */
export function createPasswordHashQueue(options: PasswordHashQueueOptions) {
  const maxQueued = options.maxQueued ?? 2 * availableParallelism() * 8;
  const concurrency = options.concurrency ?? getPasswordHashConcurrency();
  const computeLimiter = createConcurrencyLimiter(concurrency);
  // Queued work does nothing yet: its statements would delay the rejection of surplus requests.
  const workLimiter = createConcurrencyLimiter(concurrency + PREPARED_SLOTS);
  let freeSlots = maxQueued;
  const { cost, isBatch = false, priority = createHashPriority() } = options;
  const compute = (input: string, salt?: string) =>
    bcrypt.hash(input, salt?.slice(0, BCRYPT_SALT_LENGTH) ?? cost);

  function assertNotFull(): void {
    if (freeSlots === 0) throw QUEUE_FULL_ERROR;
  }

  return {
    assertNotFull,
    async runQueued<Result>(work: () => Promise<Result>): Promise<Result> {
      assertNotFull();
      freeSlots -= 1;
      try {
        return await workLimiter(work);
      } finally {
        freeSlots += 1;
      }
    },
    hash: (input: string, salt?: string): Promise<string> =>
      isBatch
        ? computeLimiter(() => priority.runAfterOthers(() => compute(input, salt)))
        : priority.runFirst(() => computeLimiter(() => compute(input, salt))),
  };
}

/**
 * Create a hasher: bcrypt over base64(HMAC-SHA-256(pepper, password)), 44 bytes, so that nothing is truncated.
 * Run statements that precede a hash within `runQueued`, so that overload does not reach the database.
 * @throws BUSY when the queue is full
 */
export function createPasswordHasher({
  peppers,
  ...options
}: PasswordHashQueueOptions & { peppers: KeySet }) {
  const queue = createPasswordHashQueue(options);
  const pepper = peppers.keys.get(peppers.primary);
  if (!pepper) throw new Error('The primary pepper is not in the set.');
  const dummyHash = createUnmatchableHash(options.cost);

  const slot: PasswordHashSlot = {
    async hash(password, salt) {
      const hash = await queue.hash(applyPepper(pepper, password), salt && toBcryptSalt(options.cost, salt));
      return `${peppers.primary}:${hash}`;
    },
    async verify(password, stored) {
      const known = stored === null ? null : parseStoredHash(stored);
      const storedPepper = known && peppers.keys.get(known.pepperId);
      if (stored === null || !known || !storedPepper) {
        await queue.hash(applyPepper(pepper, password), dummyHash);
        return false;
      }
      const computedHash = `${known.pepperId}:${await queue.hash(applyPepper(storedPepper, password), known.hash)}`;
      return timingSafeEquals(stored, computedHash);
    },
  };

  return {
    assertNotFull: queue.assertNotFull,

    runQueued: <Result>(work: (slot: PasswordHashSlot) => Promise<Result>) =>
      queue.runQueued(() => work(slot)),

    hash: (password: string): Promise<string> => queue.runQueued(() => slot.hash(password)),

    verify: (password: string, stored: string | null): Promise<boolean> =>
      queue.runQueued(() => slot.verify(password, stored)),

    needsRehash(stored: string): boolean {
      const known = parseStoredHash(stored);
      return known?.pepperId !== peppers.primary || bcrypt.getRounds(known.hash) !== options.cost;
    },
  };
}

function applyPepper(pepper: KeyObject, password: string): string {
  return createHmac('sha256', pepper).update(password, 'utf8').digest('base64');
}

function parseStoredHash(stored: string): { pepperId: string; hash: string } | null {
  const [, pepperId, hash] = STORED_HASH_PATTERN.exec(stored) ?? [];
  return pepperId && hash ? { pepperId, hash } : null;
}

function createUnmatchableHash(cost: number): string {
  const randomCharacters = Array.from(randomBytes(31), (byte) => BCRYPT_ALPHABET[byte % 64]);
  return bcrypt.genSaltSync(cost) + randomCharacters.join('');
}

function toBcryptSalt(cost: number, salt: Uint8Array): string {
  const digits = Buffer.from(salt).toString('base64').slice(0, 22);
  const characters = Array.from(digits, (digit) => BCRYPT_ALPHABET[BASE64_ALPHABET.indexOf(digit)]);
  return `$2b$${String(cost).padStart(2, '0')}$${characters.join('')}`;
}
