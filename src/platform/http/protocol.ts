import type { FastifyInstance } from 'fastify';
import { REALTIME_PATH, WEBSOCKET_CREDENTIAL_SUBPROTOCOLS } from '../../shared/realtime-protocol.ts';
import type { Database } from '../database.ts';
import type { PasswordHasher } from '../password-hasher.ts';
import type { RedisConnection } from '../redis.ts';
import { methodNotAllowedPlugin } from './allowed-methods.ts';
import { apiVersionPlugin } from './api-version.ts';
import { DEPRECATED_OPERATIONS } from './api-versions.ts';
import { bodyTimeoutPlugin } from './body-timeout.ts';
import { disconnectedClientPlugin } from './client-disconnect.ts';
import { type CorsOptions, corsPlugin } from './cors.ts';
import { etagPlugin } from './etag.ts';
import { passwordHashQueueGuardPlugin } from './hash-queue-guard.ts';
import { headerLimitsPlugin } from './header-limits.ts';
import { jsonBodyPlugin } from './json-body.ts';
import { multipartPlugin } from './multipart.ts';
import { problemDetailsPlugin } from './problem-details.ts';
import { queryStringPlugin } from './query-string.ts';
import { createRateLimitStores } from './rate-limit-stores.ts';
import { rateLimitsPlugin } from './rate-limits.ts';
import { requestIdPlugin } from './request-id.ts';
import { requestLogPlugin } from './request-log.ts';
import { requestMetricsPlugin } from './request-metrics.ts';
import { requestTracingPlugin } from './request-tracing.ts';
import { securityHeadersPlugin } from './security-headers.ts';
import { strictRequestHeadPlugin } from './strict-request-head.ts';
import { untrustedProxyPlugin } from './untrusted-proxy.ts';
import { schemaValidationPlugin } from './validation.ts';
import { versionedResponsePlugin } from './versioned-response.ts';
import { webSocketsPlugin } from './websocket.ts';

interface ProtocolServices {
  config: { publicBaseUrl: string; trustProxy: readonly string[]; traces: object | null };
  secrets: { HASH_SECRET: string };
  database: Database;
  redis: RedisConnection | null;
  passwords: PasswordHasher;
  allowedOrigins: CorsOptions['origins'];
  rateLimitScale: number;
}

export async function registerHttpPlugins(
  app: FastifyInstance,
  { config, secrets, database, redis, passwords, allowedOrigins, rateLimitScale }: ProtocolServices,
): Promise<void> {
  if (config.traces) await app.register(requestTracingPlugin, { trustProxy: config.trustProxy });
  await app.register(requestIdPlugin);
  await app.register(requestLogPlugin);
  await app.register(requestMetricsPlugin);
  await app.register(bodyTimeoutPlugin);
  await app.register(securityHeadersPlugin, { https: config.publicBaseUrl.startsWith('https:') });
  await app.register(problemDetailsPlugin);
  await app.register(disconnectedClientPlugin);
  await app.register(untrustedProxyPlugin);
  await app.register(strictRequestHeadPlugin);
  await app.register(headerLimitsPlugin);
  await app.register(apiVersionPlugin, { deprecatedOperations: DEPRECATED_OPERATIONS });
  await app.register(corsPlugin, { origins: allowedOrigins });
  await app.register(rateLimitsPlugin, {
    scale: rateLimitScale,
    secret: secrets.HASH_SECRET,
    identify: (request) => app.identifyPrincipal(request),
    stores: createRateLimitStores({
      redis,
      query: (sql, parameters) => database.pool.query(sql, parameters),
    }),
  });
  await app.register(methodNotAllowedPlugin);
  await app.register(passwordHashQueueGuardPlugin, { assertNotFull: passwords.assertNotFull });
  await app.register(queryStringPlugin);
  await app.register(jsonBodyPlugin);
  await app.register(schemaValidationPlugin);
  await app.register(etagPlugin);
  await app.register(versionedResponsePlugin);
  await app.register(multipartPlugin);
  await app.register(webSocketsPlugin, {
    path: REALTIME_PATH,
    protocols: WEBSOCKET_CREDENTIAL_SUBPROTOCOLS,
    maxPayload: 65_536,
  });
}
