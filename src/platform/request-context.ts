import type { FastifyRequest } from 'fastify';
import { normalizeIpAddress, truncateUserAgent } from '../shared/client-address.ts';
import type { CurrentUser } from './current-user.ts';
import type { RouteAudit } from './route-access.ts';

/** Who asks, from where and for what: what is left of a request for those that know nothing of HTTP. */
export interface RequestContext {
  /** Null where the route asks for no credential, or none was valid. */
  readonly user: CurrentUser | null;
  /** Whole; what is stored of it is truncated, but for log-ins. */
  readonly address: string;
  /** Cut to 512 characters. */
  readonly userAgent: string;
  readonly method: string;
  /** What a client says it asks for, other than for somebody to look at: prefetch, preview; empty where it says nothing. */
  readonly purpose: string;
  /** The header Accept-Language; undefined where there is none. */
  readonly acceptLanguage: string | undefined;
  readonly requestId: string;
  /** The operation of the route, as in the OpenAPI document. */
  readonly operation: string;
  /** What the audit trail calls the route. */
  readonly audit: RouteAudit | undefined;
  readonly idempotencyKey: string | undefined;
}

const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** The caller behind a request, once its credential was read. */
export function getRequestContext(request: FastifyRequest): RequestContext {
  const { schema, url, config } = request.routeOptions;
  const key = request.headers['idempotency-key'];
  return {
    user: request.user,
    address: normalizeIpAddress(request.ip),
    userAgent: truncateUserAgent(request.headers['user-agent']),
    method: request.method,
    purpose: PURPOSE_HEADERS.map((name) => request.headers[name] ?? '')
      .join(' ')
      .trim(),
    acceptLanguage: request.headers['accept-language'],
    requestId: request.id,
    operation: String(schema?.operationId ?? url ?? 'unknown'),
    audit: config.audit,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
}
