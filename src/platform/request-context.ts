import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { truncateUserAgent } from '../shared/client-address.ts';
import type { CurrentUser } from './current-user.ts';
import { takesSessionCookie } from './request-credential.ts';
import type { RouteAudit } from './route-access.ts';

export interface RequestContext {
  readonly user: CurrentUser | null;
  /** User who acts without a session, by a link or by a job of theirs; for the audit trail. */
  readonly linkUserId?: string;
  /** The account that this user acts for. */
  readonly linkAccountId?: string;
  /** Not truncated; truncate before storing, except for logins. */
  readonly address: string;
  readonly userAgent: string;
  readonly method: string;
  /** Purpose header for requests other than viewing (prefetch, preview); else empty. */
  readonly purpose: string;
  /** A browser opens a page for somebody with languages of their own (Fetch Metadata). */
  readonly isNavigation: boolean;
  readonly acceptLanguage: string | undefined;
  /** A page: a session that begins here is held in a cookie. */
  readonly takesSessionCookie?: boolean;
  readonly requestId: string;
  readonly log?: Pick<FastifyBaseLogger, 'error'>;
  readonly operation: string;
  readonly audit: RouteAudit | undefined;
  readonly idempotencyKey: string | undefined;
  /** Called once a change of the request is committed. */
  readonly onCommitted?: () => void;
  /** Method, route and its parameters, which can be secret: for hashes only. */
  readonly target: string;
}

const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export function getRequestContext(request: FastifyRequest): RequestContext {
  const { schema, url, config } = request.routeOptions;
  // Other operations ignore the key: replaying a PUT could return a deleted record.
  const hasIdempotencyKeyHeader = Object.hasOwn(
    Object(Reflect.get(Object(schema?.headers), 'properties')),
    'idempotency-key',
  );
  const key = hasIdempotencyKeyHeader ? request.headers['idempotency-key'] : undefined;
  return {
    user: request.user,
    address: request.clientAddress,
    userAgent: truncateUserAgent(request.headers['user-agent']),
    method: request.method,
    purpose: PURPOSE_HEADERS.map((name) => request.headers[name] ?? '')
      .join(' ')
      .trim(),
    isNavigation:
      request.headers['sec-fetch-mode'] === 'navigate' && request.headers['accept-language'] !== undefined,
    acceptLanguage: request.headers['accept-language'],
    takesSessionCookie: takesSessionCookie(request),
    requestId: request.id,
    log: request.log,
    operation: String(schema?.operationId ?? url ?? 'unknown'),
    audit: config.audit,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    onCommitted: () => {
      request.hasCommittedChange = true;
    },
    target: JSON.stringify([request.method, url, request.params]),
  };
}
