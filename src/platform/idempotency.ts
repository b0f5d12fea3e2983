import { ServiceError } from '../shared/errors.ts';
import { newId } from '../shared/ids.ts';
import { LIFETIMES } from '../shared/lifetimes.ts';
import type { Caller } from './caller.ts';
import type { Database, Tx } from './database.ts';
import { findAnswer, type IdempotencyPlace, storeAnswer, takeKey } from './idempotency.repository.ts';
import type { Vault } from './vault.ts';

/** What a creating request made. */
export interface Created<Body> {
  body: Body;
  /** Address of what was made, for `Location`. */
  location?: string;
  /** The account whose content the body shows, where it is another than the caller's: its erasure forgets the answer. */
  contentOf?: string;
}

/** The answer to a creating request: just made, or the one that a repeat gets again. */
export interface Made<Body> extends Created<Body> {
  isReplayed: boolean;
}

/** What a key is compared by. */
export interface Once {
  /** Who the key belongs to: an account's id, or a keyed hash of the visitor. */
  who: string;
  /** What makes two requests the same: usually the body. */
  sameAs: unknown;
}

/** Makes something once, however often the request is repeated with one Idempotency-Key. */
export interface CreateOnce {
  <Body>(caller: Caller, once: Once, work: (tx: Tx) => Promise<Created<Body>>): Promise<Made<Body>>;
  /**
   * The first answer under the key of a caller, for routes to ask before what is costly or counts (a drawing, a
   * PIN); null where there is none, or it is still under way: then go on to the call itself, which waits for it.
   * Throws IDEMPOTENCY_KEY_REUSED.
   */
  replay<Body>(caller: Caller, once: Once): Promise<Made<Body> | null>;
}

/** A request with a key. */
interface Keyed {
  place: IdempotencyPlace;
  bodyHash: Buffer<ArrayBuffer>;
}

/**
 * Builds the function that everything uses that creates: it runs the work in one transaction, and with an
 * Idempotency-Key stores the answer (encrypted) in that same transaction.
 */
export function createOnceWith(services: { database: Database; vault: Vault }): CreateOnce {
  const { database, vault } = services;
  return Object.assign(createOnce, { replay });

  async function createOnce<Body>(
    caller: Caller,
    once: Once,
    work: (tx: Tx) => Promise<Created<Body>>,
  ): Promise<Made<Body>> {
    const keyed = keyedOf(vault, caller, once);
    if (!keyed) return { ...(await database.transaction(work)), isReplayed: false };
    const { place, bodyHash } = keyed;
    const created = await database.transaction(async (tx) => {
      const id = newId();
      const expiresAt = new Date(Date.now() + LIFETIMES.storedAnswer * 1000);
      if (!(await takeKey(tx, place, { id, bodyHash, expiresAt }))) return null;
      const { contentOf = null, ...made } = await work(tx);
      const response = vault.seal(responsePlace(id, place), made);
      await storeAnswer(tx, place, { status: 201, response, contentOf });
      return made;
    });
    if (created) return { ...created, isReplayed: false };
    const first = await firstAnswer<Body>(keyed);
    if (!first) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
    return { ...first, isReplayed: true };
  }

  async function replay<Body>(caller: Caller, once: Once): Promise<Made<Body> | null> {
    const keyed = keyedOf(vault, caller, once);
    const first = keyed && (await firstAnswer<Body>(keyed));
    return first && { ...first, isReplayed: true };
  }

  async function firstAnswer<Body>({ place, bodyHash }: Keyed): Promise<Created<Body> | null> {
    const known = await findAnswer(database.client, place);
    if (!known) return null;
    if (!Buffer.from(known.bodyHash).equals(bodyHash)) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    if (!known.response) return null;
    return vault.open<Created<Body>>(responsePlace(known.id, place), known.response);
  }
}

function responsePlace(rowId: string, { who }: IdempotencyPlace) {
  return { table: 'idempotency_keys', column: 'response', rowId, ownerId: who };
}

function keyedOf(vault: Vault, caller: Caller, { who, sameAs }: Once): Keyed | null {
  const { idempotencyKey: key, operation } = caller;
  if (key === undefined) return null;
  return {
    place: { who, operation, keyHash: vault.hash('idempotency-key', who, operation, key) },
    bodyHash: vault.hash('idempotency-body', JSON.stringify(sameAs ?? null)),
  };
}
