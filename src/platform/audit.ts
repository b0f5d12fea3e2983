import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { API_KEY_CHANGE_PREFIX, type AuditAction, type AuditResourceType } from '../audit-actions.ts';
import { truncateIpAddress } from '../shared/client-address.ts';
import { ServiceError, type ServiceErrorCode } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { insertAuditEntries, insertAuditEntry, type NewAuditEntry } from './audit.repository.ts';
import { type Database, runAfterCommit, type Tx } from './database.ts';
import { completeValidationError } from './http/request-rules.ts';
import { toIntegrityFailureAuditEntry } from './integrity-failure.ts';
import { hasMembership } from './membership.repository.ts';
import { countAccess } from './repeated-access.repository.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';

interface AuditDetails {
  action?: AuditAction;
  outcome?: NewAuditEntry['outcome'];
  resourceType?: AuditResourceType;
  resourceId?: string;
  /** For requests that have no credential yet, such as a login. */
  actorId?: string;
  /** For requests that name the account otherwise than by `Account-Id`. */
  accountId?: string;
  changes?: readonly string[];
  /** Do not truncate the IP address: for logins only. */
  storeFullAddress?: boolean;
}

const DENIAL_ERROR_CODES: readonly ServiceErrorCode[] = [
  'FORBIDDEN',
  'SCOPE_REQUIRED',
  'API_KEY_NOT_ALLOWED',
  'NETWORK_NOT_ALLOWED',
  'NOT_FOUND',
  'INVITATION_INVALID',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_SUSPENDED',
  'PROFILE_REQUIRED',
  'MFA_ENROLLMENT_REQUIRED',
  'REAUTHENTICATION_REQUIRED',
  'EXPORT_KEY_REQUIRED',
];

async function registerAuditHooks(app: FastifyInstance, { database }: { database: Database }) {
  // Before the response is sent, so that every denial with a response has an entry.
  app.addHook('onError', async (request, _reply, error) =>
    recordFailedRequestAuditEntry(database, request, await completeValidationError(request, error)),
  );
}

/** Record the denial or integrity failure of a request whose error skips Fastify's error hook. */
export async function recordFailedRequestAuditEntry(
  database: Database,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ServiceError)) return;
  const isDenied = request.user && DENIAL_ERROR_CODES.includes(error.code);
  if (!isDenied && !error.integrityFailure) return;
  try {
    await insertAuditEntry(database.client, {
      ...toAuditEntryFields(getRequestContext(request), {}),
      ...(error.integrityFailure
        ? toIntegrityFailureAuditEntry(error.integrityFailure)
        : await createDenialEntry(database, request)),
    });
  } catch (failure) {
    request.log.error({ err: failure }, 'a denial could not be recorded in the audit trail');
  }
}

/** What a member may not do with an organization stands in its trail; whatever a stranger tries stands in theirs alone. */
async function createDenialEntry({ client }: Database, request: FastifyRequest) {
  const resourceType = request.routeOptions.config.audit?.resourceType ?? 'SYSTEM';
  const denial = { action: 'ACCESS_DENIED', outcome: 'DENIED', resourceType } as const;
  const params: object = request.params ?? {};
  const resourceId = Object.values(params).find(isId);
  if (resourceType !== 'ORGANIZATION') return { ...denial, resourceId };
  const accountId = Reflect.get(params, 'organizationId') ?? Reflect.get(params, 'id');
  const userId = request.user?.id;
  const isOfMember =
    isId(accountId) && userId !== undefined && (await hasMembership(client, { accountId, userId }));
  return isOfMember ? { ...denial, resourceId: accountId, accountId } : { ...denial, resourceId };
}

export const auditTrailPlugin = fp(registerAuditHooks, { name: 'audit', dependencies: ['authentication'] });

/** Record an audit entry in the transaction of the change; `details` can replace the action of the route. */
export async function recordAuditEntry(
  tx: Tx,
  context: RequestContext,
  details: AuditDetails = {},
): Promise<void> {
  const action = details.action ?? context.audit?.action;
  if (!action) throw new Error(`No audit action is declared for ${context.operation}.`);
  if (context.onCommitted) runAfterCommit(tx, context.onCommitted);
  await insertAuditEntry(tx, {
    ...toAuditEntryFields(context, details),
    action,
    outcome: details.outcome ?? 'SUCCESS',
  });
}

/** Record an audit entry in a transaction of its own: for a read, or for what has no other change. */
export function commitAuditEntry(
  database: Database,
  context: RequestContext,
  details: AuditDetails = {},
): Promise<void> {
  return database.transaction((tx) => recordAuditEntry(tx, context, details));
}

/**
 * Record the access of a visitor to one record. A network with many accesses a day gets entries with their number
 * instead, so that repeats do not fill the trail.
 */
export async function recordVisitorAccess(
  tx: Tx,
  context: RequestContext,
  details: { action: AuditAction; resourceId: string },
): Promise<void> {
  const network = truncateIpAddress(context.address);
  const hasAccount = context.user !== null;
  if (hasAccount || (await countAccess(tx, { ...details, network })))
    await recordAuditEntry(tx, context, details);
}

/** Record one audit entry per record in one statement; limit their number. */
export async function recordAuditEntries(
  tx: Tx,
  context: RequestContext,
  resourceIds: readonly string[],
  details: Omit<AuditDetails, 'resourceId'> = {},
): Promise<void> {
  const action = details.action ?? context.audit?.action;
  if (!action) throw new Error(`No audit action is declared for ${context.operation}.`);
  if (context.onCommitted) runAfterCommit(tx, context.onCommitted);
  const { resourceId: _none, ...fields } = toAuditEntryFields(context, details);
  await insertAuditEntries(tx, { ...fields, action, outcome: details.outcome ?? 'SUCCESS' }, resourceIds);
}

function toAuditEntryFields(context: RequestContext, details: AuditDetails) {
  const apiKey = context.user?.apiKey;
  return {
    resourceType: details.resourceType,
    resourceId: details.resourceId,
    actorId: details.actorId ?? context.user?.id ?? context.linkUserId,
    accountId: details.accountId ?? context.user?.account?.id ?? context.linkAccountId,
    operation: context.operation,
    requestId: context.requestId,
    origin: {
      ip: details.storeFullAddress ? context.address : truncateIpAddress(context.address),
      userAgent: context.userAgent,
    },
    changes: [...(details.changes ?? []), ...(apiKey ? [`${API_KEY_CHANGE_PREFIX}${apiKey.id}`] : [])],
  };
}
