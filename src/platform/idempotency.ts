import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../shared/errors.ts';
import { newId } from '../shared/ids.ts';
import type { Database, Tx } from './database.ts';
import { findAnswer, type IdempotencyPlace, storeAnswer, takeKey } from './idempotency.repository.ts';
import type { Vault } from './vault.ts';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** What a creating request made. */
export interface Created<Body> {
  body: Body;
  /** Address of what was made, for `Location`. */
  location?: string;
}

/** What a key is compared by. */
export interface Once {
  /** Who the key belongs to: an account's id, or a keyed hash of the visitor. */
  who: string;
  /** What makes two requests the same; the body when left out. */
  sameAs?: unknown;
}

/** Makes something once, however often the request is repeated with one Idempotency-Key. */
export interface CreateOnce {
  <Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    once: Once,
    work: (tx: Tx) => Promise<Created<Body>>,
  ): Promise<Body>;
  /**
   * The first answer under the key of a request, for routes to ask before what is costly or counts (a drawing, a
   * PIN); null where there is none, or it is still under way: then go on to the call itself, which waits for it.
   * Throws IDEMPOTENCY_KEY_REUSED.
   */
  replay<Body>(request: FastifyRequest, reply: FastifyReply, once: Once): Promise<Body | null>;
}

/** A request with a key. */
interface Keyed {
  place: IdempotencyPlace;
  bodyHash: Buffer<ArrayBuffer>;
}

/**
 * Builds the function that every creating route uses: it runs the work in one transaction, answers 201 with
 * `Location`, and with an Idempotency-Key stores the answer (encrypted) in that same transaction.
 */
export function createOnceWith(services: { database: Database; vault: Vault }): CreateOnce {
  const { database, vault } = services;
  return Object.assign(createOnce, { replay });

  async function createOnce<Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    once: Once,
    work: (tx: Tx) => Promise<Created<Body>>,
  ): Promise<Body> {
    const keyed = keyedOf(vault, request, once);
    if (!keyed) return answer(reply, await database.transaction(work));
    const { place, bodyHash } = keyed;
    const created = await database.transaction(async (tx) => {
      const id = newId();
      const expiresAt = new Date(Date.now() + KEPT_MILLISECONDS);
      if (!(await takeKey(tx, place, { id, bodyHash, expiresAt }))) return null;
      const made = await work(tx);
      const response = vault.seal({ table: 'idempotency_keys', column: 'response', rowId: id }, made);
      await storeAnswer(tx, place, { status: 201, response });
      return made;
    });
    if (created) return answer(reply, created);
    const replayed = await firstAnswer<Body>(keyed);
    if (!replayed) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
    return answer(reply.header('Idempotency-Replayed', 'true'), replayed);
  }

  async function replay<Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    once: Once,
  ): Promise<Body | null> {
    const keyed = keyedOf(vault, request, once);
    const replayed = keyed && (await firstAnswer<Body>(keyed));
    return replayed && answer(reply.header('Idempotency-Replayed', 'true'), replayed);
  }

  async function firstAnswer<Body>({ place, bodyHash }: Keyed): Promise<Created<Body> | null> {
    const known = await findAnswer(database.client, place);
    if (!known) return null;
    if (!Buffer.from(known.bodyHash).equals(bodyHash)) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    if (!known.response) return null;
    return vault.open<Created<Body>>(
      { table: 'idempotency_keys', column: 'response', rowId: known.id },
      known.response,
    );
  }
}

function keyedOf(vault: Vault, request: FastifyRequest, { who, sameAs }: Once): Keyed | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  const route = String(request.routeOptions.schema?.operationId ?? request.routeOptions.url);
  return {
    place: { who, route, keyHash: vault.hash('idempotency-key', who, route, key) },
    bodyHash: vault.hash('idempotency-body', JSON.stringify(sameAs ?? request.body ?? null)),
  };
}

function answer<Body>(reply: FastifyReply, created: Created<Body>): Body {
  reply.code(201);
  if (created.location) reply.header('Location', created.location);
  return created.body;
}
