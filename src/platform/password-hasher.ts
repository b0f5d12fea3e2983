import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import type { KeySet } from '../shared/crypto/key-set.ts';
import { timingSafeEquals } from '../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../shared/errors.ts';
import { createLimiter } from '../shared/limiter.ts';

export interface HashQueueOptions {
  /** bcrypt cost: 2 to the power of it rounds. */
  cost: number;
  /** Hashes computed at the same time; `hashConcurrency()` without it. */
  concurrency?: number;
  /** Places in the line, those of hashes under way among them; 2 × cores × 8 without it. */
  maxQueued?: number;
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** One for all: a rush refuses hundreds at once, and the stack of each would cost more than the rest of its refusal. */
const QUEUE_FULL_ERROR = new ServiceError('BUSY', { retryAfterSeconds: 1 });

/** What may be done with passwords while one holds a place in the line; one after another. */
export interface PasswordHashSlot {
  /**
   * The stored form of a password: `<pepper id>:<bcrypt>`, under the primary pepper. The salt, 16 bytes, is
   * chance without it; stored forms of one salt can be verified together.
   */
  hash(password: string, salt?: Uint8Array): Promise<string>;
  /**
   * Whether a password is the stored one, or one of several that were stored with one salt and pepper (another
   * than the first's matches nothing). It is always the work of one hash: also for none, and for a stored form
   * that cannot be read or names a pepper that is not given, which match nothing.
   */
  verify(password: string, stored: string | readonly string[] | null): Promise<boolean>;
}

/** Turns that may prepare their hash, or finish what follows it, while others are computed. */
const PREPARED_SLOTS = 2;

const BCRYPT_ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Characters of version, cost and salt, which a bcrypt hash begins with. */
const BCRYPT_SALT_LENGTH = 29;

/** What a stored password looks like: `<pepper id>:<bcrypt>`. */
const STORED_HASH_PATTERN = /^([a-z0-9]{1,16}):(\$2[ab]\$\d\d\$[./A-Za-z0-9]{53})$/;

/**
 * Hashes to compute at the same time: one for each core but one, so that the event loop need not take turns with
 * them; and two threads of libuv's pool (UV_THREADPOOL_SIZE, 4 of them without it) stay free, because files and name
 * look-ups wait for the same pool.
 */
export function getHashConcurrency(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
  return Math.max(1, Math.min(availableParallelism() - 1, threads - 2));
}

/**
 * bcrypt off the event loop, with a bounded line in front of it. `runQueued` takes a place in the line until its work,
 * which begins when its turn has come, is done, and throws ServiceError BUSY, before anything else is done, when none is free. `hash` is for
 * within; it takes at most 72 bytes (bcrypt ignores the rest) and the salt as bcrypt writes it, or a whole hash
 * for its salt.
 */
export function createHashQueue(options: HashQueueOptions) {
  const maxQueued = options.maxQueued ?? 2 * availableParallelism() * 8;
  const concurrency = options.concurrency ?? getHashConcurrency();
  const computeLimiter = createLimiter(concurrency);
  // Who waits in the line does nothing yet: in a rush its statements would keep the surplus from its answer.
  const workLimiter = createLimiter(concurrency + PREPARED_SLOTS);
  let freeSlots = maxQueued;

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
      computeLimiter(() => bcrypt.hash(input, salt?.slice(0, BCRYPT_SALT_LENGTH) ?? options.cost)),
  };
}

/**
 * Hashes passwords (or, as a second instance, PINs) as bcrypt over base64(HMAC-SHA-256(pepper, password)):
 * 44 bytes, so that nothing of a long password is cut off, and a stolen table alone cannot be guessed at.
 * Each instance has a line of its own; `runQueued`, `hash` and `verify` throw ServiceError BUSY when it is full.
 * Whoever asks the database before the hash does it within `runQueued`, so that surplus is refused at the door.
 */
export function createPasswordHasher({ peppers, ...options }: HashQueueOptions & { peppers: KeySet }) {
  const queue = createHashQueue(options);
  const pepper = peppers.keys.get(peppers.primary);
  if (!pepper) throw new Error('The primary pepper is not in the set.');
  const dummyHash = createUnmatchableHash(options.cost);

  const slot: PasswordHashSlot = {
    async hash(password, salt) {
      const hash = await queue.hash(applyPepper(pepper, password), salt && toBcryptSalt(options.cost, salt));
      return `${peppers.primary}:${hash}`;
    },
    async verify(password, stored) {
      const all = typeof stored === 'string' ? [stored] : (stored ?? []);
      const [first] = all;
      const known = first === undefined ? null : parseStoredHash(first);
      const storedPepper = known && peppers.keys.get(known.pepperId);
      if (!known || !storedPepper) {
        await queue.hash(applyPepper(pepper, password), dummyHash);
        return false;
      }
      const computedHash = `${known.pepperId}:${await queue.hash(applyPepper(storedPepper, password), known.hash)}`;
      return all.filter((one) => timingSafeEquals(one, computedHash)).length > 0;
    },
  };

  return {
    /** Throws BUSY when no place in the line is free. */
    assertNotFull: queue.assertNotFull,

    /** Takes a place in the line for the whole of the work; throws BUSY at once when there is none. */
    runQueued: <Result>(work: (slot: PasswordHashSlot) => Promise<Result>) =>
      queue.runQueued(() => work(slot)),

    /** `hash` of a turn that is nothing else. */
    hash: (password: string): Promise<string> => queue.runQueued(() => slot.hash(password)),

    /** `verify` of a turn that is nothing else. */
    verify: (password: string, stored: string | null): Promise<boolean> =>
      queue.runQueued(() => slot.verify(password, stored)),

    /** Whether a stored form is of another pepper or cost than new ones: hash again when the password is at hand. */
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

/** A hash of the right form and cost that no known input has; made without computing one. */
function createUnmatchableHash(cost: number): string {
  const randomCharacters = Array.from(randomBytes(31), (byte) => BCRYPT_ALPHABET[byte % 64]);
  return bcrypt.genSaltSync(cost) + randomCharacters.join('');
}

/** A salt as bcrypt writes it: base64 in an alphabet of its own, without padding. */
function toBcryptSalt(cost: number, salt: Uint8Array): string {
  const digits = Buffer.from(salt).toString('base64').slice(0, 22);
  const characters = Array.from(digits, (digit) => BCRYPT_ALPHABET[BASE64_ALPHABET.indexOf(digit)]);
  return `$2b$${String(cost).padStart(2, '0')}$${characters.join('')}`;
}
