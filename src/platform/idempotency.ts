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

/** Makes something once, however often the request is repeated with one Idempotency-Key. */
export type CreateOnce = <Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  options: {
    /** Who the key belongs to: an account's id, or a keyed hash of the visitor. */
    who: string;
    /** What makes two requests the same; the body when left out. */
    sameAs?: unknown;
  },
  work: (tx: Tx) => Promise<Created<Body>>,
) => Promise<Body>;

/**
 * Builds the function that every creating route uses: it runs the work in one transaction, answers 201 with
 * `Location`, and with an Idempotency-Key stores the answer (encrypted) in that same transaction.
 */
export function createOnceWith(services: { database: Database; vault: Vault }): CreateOnce {
  const { database, vault } = services;
  return async function createOnce<Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    options: { who: string; sameAs?: unknown },
    work: (tx: Tx) => Promise<Created<Body>>,
  ): Promise<Body> {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') {
      const created = await database.transaction(work);
      return answer(reply, created);
    }
    const place = placeOf(vault, request, options.who, key);
    const bodyHash = vault.hash('idempotency-body', JSON.stringify(options.sameAs ?? request.body ?? null));
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
    const replayed = await replay<Body>(place, bodyHash);
    return answer(reply.header('Idempotency-Replayed', 'true'), replayed);
  };

  async function replay<Body>(place: IdempotencyPlace, bodyHash: Uint8Array): Promise<Created<Body>> {
    const known = await findAnswer(database.client, place);
    if (!known?.response) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
    if (!Buffer.from(known.bodyHash).equals(bodyHash)) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    return vault.open<Created<Body>>(
      { table: 'idempotency_keys', column: 'response', rowId: known.id },
      known.response,
    );
  }
}

function placeOf(vault: Vault, request: FastifyRequest, who: string, key: string): IdempotencyPlace {
  const route = String(request.routeOptions.schema?.operationId ?? request.routeOptions.url);
  return { who, route, keyHash: vault.hash('idempotency-key', who, route, key) };
}

function answer<Body>(reply: FastifyReply, created: Created<Body>): Body {
  reply.code(201);
  if (created.location) reply.header('Location', created.location);
  return created.body;
}
