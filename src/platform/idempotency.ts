import { scaleByAddress, truncateIpAddress } from '../shared/client-address.ts';
import { ServiceError } from '../shared/errors.ts';
import { generateId } from '../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import { incrementAttemptBudgets } from './attempt-budget.repository.ts';
import type { Database, Tx } from './database.ts';
import type { FieldCipher } from './field-cipher.ts';
import { isStatementTimeoutError } from './http/database-errors.ts';
import {
  claimIdempotencyKey,
  findIdempotencyRecord,
  type IdempotencyKeyId,
  isErasedAccount,
  storeIdempotentResponse,
} from './idempotency.repository.ts';
import type { RequestContext } from './request-context.ts';

export interface CreatedResource<Body> {
  body: Body;
  location?: string;
  /** The account whose content the body shows, where it is another one: its erasure deletes the response. */
  contentOf?: string;
}

export interface IdempotentResult<Body> extends CreatedResource<Body> {
  isReplayed: boolean;
}

export interface IdempotencyInput {
  /** Whose key it is: the account that the user acts for, the user, or a visitor. */
  who: string;
  fingerprint: unknown;
  /** Bound to the account, or to every account, of the work; by default to the account that the user acts for. */
  database?: Database;
  /** The response holds a secret: it is never stored, and a repeat gets RESPONSE_NOT_STORED. */
  isSecret?: boolean;
}

export interface IdempotentHandler {
  <Body>(
    context: RequestContext,
    input: IdempotencyInput,
    work: (tx: Tx) => Promise<CreatedResource<Body>>,
  ): Promise<IdempotentResult<Body>>;
  /** Find the stored response before costly or counted work; null without one. @throws IDEMPOTENCY_KEY_REUSED, RESPONSE_NOT_STORED */
  replay<Body>(context: RequestContext, input: IdempotencyInput): Promise<IdempotentResult<Body> | null>;
}

/** Stored in place of a response that cannot be repeated. */
const NOT_STORED = { isNotStored: true } as const;

type StoredResponse<Body> = CreatedResource<Body> | typeof NOT_STORED;

/** Of one network, and of one account, in the time for which responses are stored. */
const MAX_STORED_KIB = 65_536;

interface IdempotentRequest {
  /** That the user acts for, where it is not the personal one. */
  accountId: string | null;
  place: IdempotencyKeyId;
  bodyHash: Buffer<ArrayBuffer>;
}

/** Create the handler, which stores the encrypted response in the transaction of the work. */
export function createIdempotentHandler(services: {
  database: Database;
  fieldCipher: FieldCipher;
}): IdempotentHandler {
  const { database, fieldCipher } = services;
  return Object.assign(createIdempotently, { replay });

  async function createIdempotently<Body>(
    context: RequestContext,
    input: IdempotencyInput,
    work: (tx: Tx) => Promise<CreatedResource<Body>>,
  ): Promise<IdempotentResult<Body>> {
    const request = toIdempotentRequest(fieldCipher, context, input);
    const bound = input.database ?? bindToActingAccount(database, context);
    if (!request) return { ...(await bound.transaction(work)), isReplayed: false };
    const { place: scope, bodyHash, accountId } = request;
    const created = await bound.transaction(async (tx) => {
      const id = generateId();
      const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.idempotentResponse * 1000);
      if (!(await claimKey(tx, scope, { id, bodyHash, expiresAt }))) return null;
      const { contentOf = accountId, ...resource } = await work(tx);
      const encrypt = (stored: StoredResponse<Body>) =>
        fieldCipher.encrypt(toResponseLocation(id, scope), stored);
      const full = input.isSecret ? null : encrypt(resource);
      const isStored =
        full &&
        !(contentOf !== null && (await isErasedAccount(tx, contentOf))) &&
        (await consumeStoredBytes(fieldCipher, tx, context, full.length));
      const answer = isStored
        ? { response: full, contentAccountId: contentOf }
        : { response: encrypt(NOT_STORED), contentAccountId: null };
      await storeIdempotentResponse(tx, scope, { status: 201, ...answer });
      return resource;
    });
    if (created) return { ...created, isReplayed: false };
    const first = await findResponse<Body>(request);
    if (!first) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
    return { ...first, isReplayed: true };
  }

  /** @throws OUTCOME_UNKNOWN while the first request with the key is not committed: its change can be stored */
  async function claimKey(...claim: Parameters<typeof claimIdempotencyKey>): Promise<boolean> {
    try {
      return await claimIdempotencyKey(...claim);
    } catch (error) {
      if (!isStatementTimeoutError(error)) throw error;
      throw new ServiceError('OUTCOME_UNKNOWN', { retryAfterSeconds: 1, cause: error });
    }
  }

  async function replay<Body>(
    context: RequestContext,
    input: IdempotencyInput,
  ): Promise<IdempotentResult<Body> | null> {
    const request = toIdempotentRequest(fieldCipher, context, input);
    const first = request && (await findResponse<Body>(request));
    return first && { ...first, isReplayed: true };
  }

  async function findResponse<Body>({
    place: scope,
    bodyHash,
  }: IdempotentRequest): Promise<CreatedResource<Body> | null> {
    const stored = await findIdempotencyRecord(database.client, scope);
    if (!stored) return null;
    if (!Buffer.from(stored.bodyHash).equals(bodyHash)) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    if (!stored.response) return null;
    const location = toResponseLocation(stored.id, scope);
    const response = fieldCipher.decrypt<StoredResponse<Body>>(location, stored.response);
    if ('isNotStored' in response) throw new ServiceError('RESPONSE_NOT_STORED');
    addAccountIds(response);
    return response;
  }
}

function bindToActingAccount(database: Database, { user }: RequestContext): Database {
  return user?.account ? database.forAccount(user.account.id) : database;
}

/** Their names are chosen by customers. */
const CUSTOMER_FIELDS: ReadonlySet<string> = new Set(['metadata', 'data']);

/** Responses that a version before accounts stored, which are kept for a day, name the account only as the owner. */
function addAccountIds(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('ownerId' in value && !('accountId' in value)) Object.assign(value, { accountId: value.ownerId });
  for (const [name, part] of Object.entries(value)) if (!CUSTOMER_FIELDS.has(name)) addAccountIds(part);
}

function toResponseLocation(rowId: string, { requester }: IdempotencyKeyId) {
  return { table: 'idempotency_keys', column: 'response', rowId, ownerId: requester };
}

function toIdempotentRequest(
  fieldCipher: FieldCipher,
  context: RequestContext,
  { who, fingerprint }: IdempotencyInput,
): IdempotentRequest | null {
  const { idempotencyKey: key, operation, target, user } = context;
  if (key === undefined) return null;
  // Members of an account have keys of their own.
  const isForOtherAccount = user !== null && who === user.account?.id && who !== user.id;
  const requester = isForOtherAccount ? user.id : who;
  const accountIds = isForOtherAccount ? [who] : [];
  return {
    accountId: isForOtherAccount ? who : null,
    place: {
      requester,
      operation,
      keyHash: fieldCipher.hash('idempotency-key', requester, operation, key, ...accountIds),
    },
    bodyHash: fieldCipher.hash('idempotency-body', target, JSON.stringify(fingerprint ?? null)),
  };
}

/** Count the bytes of a response for its network and account; false when too many are stored. */
async function consumeStoredBytes(
  fieldCipher: FieldCipher,
  tx: Tx,
  { address, user }: RequestContext,
  bytes: number,
): Promise<boolean> {
  const network = truncateIpAddress(address);
  const owners = [network, ...(user ? [user.id] : [])];
  const increments = owners.map((owner) => ({
    key: `idempotent-bytes:${fieldCipher.hash('idempotent-bytes', owner).toString('hex')}`,
    windowSeconds: LIFETIMES_SECONDS.idempotentResponse,
    count: Math.ceil(bytes / 1024),
  }));
  const budgets = await incrementAttemptBudgets(tx, increments);
  const maxOfNetwork = scaleByAddress(network, MAX_STORED_KIB);
  return budgets.every(
    ({ key, used }) => used <= (key === increments[0]?.key ? maxOfNetwork : MAX_STORED_KIB),
  );
}
