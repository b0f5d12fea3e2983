import type { FastifyInstance } from 'fastify';
import { getBasePath } from '../../shared/base-path.ts';
import { REALTIME_PATH, WEBSOCKET_CREDENTIAL_SUBPROTOCOLS } from '../../shared/realtime-protocol.ts';
import type { Database } from '../database.ts';
import type { PasswordHasher } from '../password-hasher.ts';
import type { RedisConnection } from '../redis.ts';
import { rejectMissingMethod } from './allowed-methods.ts';
import { createApiVersionStep, versionChangesPlugin } from './api-version.ts';
import { DEPRECATED_OPERATIONS } from './api-versions.ts';
import { createBodyTimeout } from './body-timeout.ts';
import { createClientAddressStep, type TrustedProxies } from './client-address.ts';
import { dropDisconnectedClient, rememberClientAddresses } from './client-disconnect.ts';
import { type CorsOptions, corsPlugin, describeMethods } from './cors.ts';
import { createReadinessCheck, drainingPlugin } from './draining.ts';
import { etagPlugin } from './etag.ts';
import { createHashQueueGuard } from './hash-queue-guard.ts';
import { limitHeaders } from './header-limits.ts';
import { jsonBodyPlugin } from './json-body.ts';
import { locationHeaderPlugin } from './location-header.ts';
import { multipartPlugin } from './multipart.ts';
import { problemDetailsPlugin } from './problem-details.ts';
import { createProxyWarningStep } from './proxy-warnings.ts';
import { parseRequestTarget } from './query-string.ts';
import { createRateLimitStores } from './rate-limit-stores.ts';
import { rateLimitsPlugin } from './rate-limits.ts';
import { sendRequestId } from './request-id.ts';
import { logClosedRequest, requestLogPlugin } from './request-log.ts';
import { requestMetricsPlugin } from './request-metrics.ts';
import { addRequestSteps } from './request-steps.ts';
import { requestTracingPlugin } from './request-tracing.ts';
import { createSecurityHeadersStep, securityHeadersPlugin } from './security-headers.ts';
import { rejectInvalidHead, strictRequestHeadPlugin } from './strict-request-head.ts';
import { schemaValidationPlugin } from './validation.ts';
import { versionedResponsePlugin } from './versioned-response.ts';
import { webSocketsPlugin } from './websocket.ts';

interface ProtocolServices {
  config: TrustedProxies & { publicBaseUrl: string; ownerPages: boolean; traces: object | null };
  secrets: { HASH_SECRET: string };
  database: Database;
  redis: RedisConnection | null;
  passwords: PasswordHasher;
  allowedOrigins: CorsOptions['origins'];
  rateLimitScale: number;
}

/**
 * Register the protocol. Before the body of a request is read, it passes tracing, the first steps, the preflight of CORS,
 * the rate limits, the last steps and access control (route-access.ts), in this order.
 */
export async function registerHttpPlugins(
  app: FastifyInstance,
  { config, secrets, database, redis, passwords, allowedOrigins, rateLimitScale }: ProtocolServices,
  stopping: AbortSignal,
): Promise<void> {
  const https = config.publicBaseUrl.startsWith('https:');
  rememberClientAddresses(app.server);
  if (config.traces) await app.register(requestTracingPlugin, { trustProxy: config.trustProxy });
  await app.register(requestLogPlugin);
  await app.register(requestMetricsPlugin);
  await app.register(locationHeaderPlugin, { basePath: getBasePath(config.publicBaseUrl) });
  await app.register(problemDetailsPlugin);
  await app.register(strictRequestHeadPlugin);
  addRequestSteps(
    app,
    createClientAddressStep(app, config),
    sendRequestId,
    logClosedRequest,
    createBodyTimeout(),
    createSecurityHeadersStep({ https }),
    dropDisconnectedClient,
    createProxyWarningStep(app, config),
    rejectInvalidHead,
    limitHeaders,
    createApiVersionStep(app, { deprecatedOperations: DEPRECATED_OPERATIONS }),
    describeMethods,
  );
  await app.register(corsPlugin, { origins: allowedOrigins, hasOwnerPages: config.ownerPages });
  await app.register(rateLimitsPlugin, {
    scale: rateLimitScale,
    secret: secrets.HASH_SECRET,
    identify: (request) => app.identifyPrincipal(request),
    stores: createRateLimitStores({
      redis,
      query: (sql, parameters) => database.pool.query(sql, parameters),
    }),
  });
  addRequestSteps(
    app,
    rejectMissingMethod,
    createHashQueueGuard(passwords),
    parseRequestTarget,
    createReadinessCheck(stopping),
  );
  await app.register(jsonBodyPlugin);
  await app.register(schemaValidationPlugin);
  await app.register(versionChangesPlugin);
  await app.register(etagPlugin);
  // After the ETags, which leave replies that are `no-store` before.
  await app.register(securityHeadersPlugin, { https });
  await app.register(versionedResponsePlugin);
  await app.register(multipartPlugin);
  await app.register(webSocketsPlugin, {
    path: REALTIME_PATH,
    protocols: WEBSOCKET_CREDENTIAL_SUBPROTOCOLS,
    maxPayload: 65_536,
  });
  await app.register(drainingPlugin, { signal: stopping });
}
