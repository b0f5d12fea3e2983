import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { getClientNetwork, getIpv6Site, scaleByAddress } from '../../shared/client-address.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { createSharedRateLimitCounters } from './rate-limit-counters.ts';
import {
  API_KEYS_FACTOR,
  IPV6_SITE_FACTOR,
  MAX_PAGES_ABOVE_LIMIT,
  MAX_REFRESHES_PER_SESSION,
  MAX_REQUESTS_PER_API_KEY,
  MAX_REQUESTS_PER_CLIENT,
  MAX_REQUESTS_PER_CODE,
  MAX_STORED_REQUESTS_PER_DAY,
  MAX_UNKNOWN_PAGES,
  type RateLimitClass,
  SHARED_ADDRESS_FACTOR,
  WINDOW_MS,
} from './rate-limit-numbers.ts';
import type { RateLimitStore } from './rate-limit-stores.ts';

/** What the credential of a request belongs to, as far as it is known without asking the database. */
export type RequestPrincipal =
  | { type: 'account'; id: string }
  /** The account is null until the database has found the key; then the id names its token. */
  | { type: 'api-key'; id: string; accountId: string | null }
  | { type: 'session'; id: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limit class of a route; `none` for health checks. Default: read for GET, else write. */
    rateLimitClass?: RateLimitClass | 'none';
    /** Find the session that a credential in the body belongs to; its requests are counted after the body is parsed. */
    findRateLimitSession?: (request: FastifyRequest) => string | null;
  }
  interface FastifyRequest {
    /** Whom the limits of this request count for; null is the address, undefined not counted yet. */
    rateLimitPrincipal: RequestPrincipal | null | undefined;
    /** Name of the limit in the headers, unless it is the class. */
    rateLimitPolicy: string | null;
  }
  interface FastifyInstance {
    /** Consume one request of this client for this code; returns the seconds to wait when exhausted. */
    consumeCodeRateLimit(request: FastifyRequest, codeId: string): Promise<number | undefined>;
    /** Consume one page above the limits; returns the seconds to wait when exhausted. */
    consumeUnrecordedPageLimit(request: FastifyRequest, codeId: string): Promise<number | undefined>;
    /** Consume one page of an unknown code; returns the seconds to wait when exhausted. */
    consumeUnknownPage(request: FastifyRequest): Promise<number | undefined>;
  }
}

export interface RateLimitsOptions {
  scale: number;
  secret: string;
  stores?: readonly RateLimitStore[] | undefined;
  flushMs?: number;
  /** Null counts by address. */
  identify?: (request: FastifyRequest) => RequestPrincipal | null;
}

/**
 * Limit requests by class and client: the API key, account or session of a genuine credential, else the address
 * (IPv4, or IPv6 /64 and /48). Headers: draft-ietf-httpapi-ratelimit-headers-11, and the older X-RateLimit-*.
 */
const plugin: FastifyPluginAsync<RateLimitsOptions> = async (app, options) => {
  const counters = createSharedRateLimitCounters({
    ...options,
    onStandaloneChange: (isStandalone) =>
      isStandalone
        ? app.log.warn('rate limits: shared store unavailable, counting in this instance')
        : app.log.info('rate limits: shared store available again'),
  });
  app.addHook('onClose', () => counters.close());

  class Store implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, done, windowMs, max) => {
      counters
        .incrementWithin(key, windowMs, max)
        .then(({ hits, ttlMs }) => done(null, { current: hits, ttl: ttlMs }), done);
    };
    child = () => this;
  }

  await app.register(rateLimit, {
    global: false,
    store: Store,
    timeWindow: WINDOW_MS,
    max: (request) => scaled(getMaxRequests(request), request.rateLimitPrincipal ? null : request),
    keyGenerator: (request) => `${getRateLimitClass(request)} ${getRateLimitClient(request)}`,
    allowList: (request) => request.routeOptions.config.rateLimitClass === 'none',
    errorResponseBuilder: (_request, { ttl }) => createRateLimitedError(ttl),
  });

  const limit = app.rateLimit();
  app.decorateRequest('rateLimitPrincipal', undefined);
  app.decorateRequest('rateLimitPolicy', null);
  app.addHook('onRequest', async (request, reply) => {
    if (!hasCredentialInBody(request)) await limitRequest(request, reply);
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (hasCredentialInBody(request)) limitRequest(request, reply).then(() => done(), done);
    else done();
  });
  app.addHook('preHandler', limitCode);

  app.decorate(
    'consumeCodeRateLimit',
    async (request, codeId) =>
      (await consumeOfClient(
        request,
        ['code', codeId],
        scaled(MAX_REQUESTS_PER_CODE['public-scan'] ?? 0, request),
      )) ?? consumeStoredRequest(request),
  );

  // In turn: a refused client leaves no key for each id that it invents.
  app.decorate(
    'consumeUnrecordedPageLimit',
    async (request, codeId) =>
      (await consumeOfClient(request, ['page-above'], scaled(MAX_PAGES_ABOVE_LIMIT.address, request))) ??
      consumeOfClient(request, ['page-above', codeId], scaled(MAX_PAGES_ABOVE_LIMIT.code, request)),
  );

  app.decorate('consumeUnknownPage', (request) =>
    consumeOfClient(request, ['page-unknown'], scaled(MAX_UNKNOWN_PAGES, request)),
  );

  app.addHook('onSend', (request, reply, payload, done) => {
    const send = () => {
      if (reply.hasHeader('x-ratelimit-limit')) setDraftHeaders(request, reply);
      done(null, payload);
    };
    const isBodyInvalid = hasCredentialInBody(request) && request.rateLimitPrincipal === undefined;
    // Not refused: the response is there, and 429 costs as much.
    if (isBodyInvalid) limitRequest(request, reply).then(send, send);
    else send();
  });

  /** @throws RATE_LIMITED */
  async function limitRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const principal = identifyPrincipal(request);
    request.rateLimitPrincipal = principal;
    if (principal === null) await limitIpv6Site(request);
    await limit.call(app, request, reply);
    if (principal) await limitSharedAddress(request, principal);
    if (principal?.type === 'session' || !isPublicWrite(request)) return;
    const waitSeconds = await consumeStoredRequest(request);
    if (waitSeconds !== undefined) throw createRateLimitedError(waitSeconds * 1000);
  }

  function identifyPrincipal(request: FastifyRequest): RequestPrincipal | null {
    const id = request.routeOptions.config.findRateLimitSession?.(request) ?? null;
    if (id !== null) return { type: 'session', id };
    return usesCredential(request) ? (options.identify?.(request) ?? null) : null;
  }

  function consumeStoredRequest(request: FastifyRequest): Promise<number | undefined> {
    // Scans must not use up the logins of an address.
    const name = getRateLimitClass(request) === 'auth' ? 'stored auth' : 'stored';
    return consumeOfClient(request, [name], scaled(MAX_STORED_REQUESTS_PER_DAY, request), DAY_MS);
  }

  /** Consume one of a client and, for IPv6, of its site first: a refused site leaves no key for each of its clients. */
  async function consumeOfClient(
    request: FastifyRequest,
    [name, ...subject]: readonly [name: string, codeId?: string],
    max: number,
    windowMs = WINDOW_MS,
  ): Promise<number | undefined> {
    const site = getIpv6Site(request.clientAddress);
    const siteKey = [`${name} site`, site, ...subject].join(' ');
    const clientKey = [name, getRateLimitClientAddress(request), ...subject].join(' ');
    const waitSeconds =
      site === null ? undefined : await consumeWithin(siteKey, max * IPV6_SITE_FACTOR, windowMs);
    return waitSeconds ?? consumeWithin(clientKey, max, windowMs);
  }

  /** Seconds to wait; undefined within the limit. */
  async function consumeWithin(key: string, max: number, windowMs: number): Promise<number | undefined> {
    const { hits, ttlMs } = await counters.incrementWithin(key, windowMs, max);
    return hits > max ? Math.ceil(ttlMs / 1000) : undefined;
  }

  /** @throws RATE_LIMITED */
  async function limitCode(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const maxOfClass = MAX_REQUESTS_PER_CODE[getRateLimitClass(request)];
    const code = maxOfClass === undefined ? undefined : findCodeId(request);
    if (maxOfClass === undefined || code === undefined) return;
    // By both: an account has many API keys and addresses, and an address many accounts.
    const { rateLimitPrincipal: principal } = request;
    if (principal) await limitWithin(`code account ${getAccountId(principal)} ${code}`, scaled(maxOfClass));
    const max = scaled(maxOfClass, request);
    const site = getIpv6Site(request.clientAddress);
    if (site !== null) await limitWithin(`code site ${site} ${code}`, max * IPV6_SITE_FACTOR);
    const key = `code ${getRateLimitClientAddress(request)} ${code}`;
    const { hits, ttlMs } = await counters.incrementWithin(key, WINDOW_MS, max);
    if (max - hits < Number(reply.getHeader('x-ratelimit-remaining') ?? Number.POSITIVE_INFINITY)) {
      request.rateLimitPolicy = 'code';
      reply.header('x-ratelimit-limit', max).header('x-ratelimit-remaining', Math.max(0, max - hits));
      reply.header('x-ratelimit-reset', Math.ceil(ttlMs / 1000));
    }
    if (hits > max) throw createRateLimitedError(ttlMs);
  }

  /** @throws RATE_LIMITED */
  async function limitSharedAddress(request: FastifyRequest, principal: RequestPrincipal): Promise<void> {
    const limitClass = getRateLimitClass(request);
    const maxOfKeys = getMaxRequests(request) * API_KEYS_FACTOR;
    if (principal.type === 'api-key' && principal.accountId !== null)
      await limitWithin(`${limitClass} keys ${principal.accountId}`, scaled(maxOfKeys));
    const address = getIpv6Site(request.clientAddress) ?? getRateLimitClientAddress(request);
    const maxOfAddress = MAX_REQUESTS_PER_CLIENT[limitClass] * SHARED_ADDRESS_FACTOR;
    await limitWithin(`${limitClass} shared ${address}`, scaled(maxOfAddress, request));
  }

  /** @throws RATE_LIMITED */
  async function limitIpv6Site(request: FastifyRequest): Promise<void> {
    const site =
      request.routeOptions.config.rateLimitClass === 'none' ? null : getIpv6Site(request.clientAddress);
    if (site === null) return;
    const limitClass = getRateLimitClass(request);
    const max = scaled(MAX_REQUESTS_PER_CLIENT[limitClass]) * IPV6_SITE_FACTOR;
    await limitWithin(`${limitClass} site ${site}`, max);
  }

  /** @throws RATE_LIMITED */
  async function limitWithin(key: string, max: number): Promise<void> {
    const { hits, ttlMs } = await counters.incrementWithin(key, WINDOW_MS, max);
    if (hits > max) throw createRateLimitedError(ttlMs);
  }

  /** With a request for a limit by its address. */
  function scaled(max: number, request: FastifyRequest | null = null): number {
    const allowed = request === null ? max : scaleByAddress(request.clientAddress, max);
    return Math.max(1, Math.round(allowed * options.scale));
  }
};

export const rateLimitsPlugin = fp(plugin, {
  name: 'rate-limits',
  decorators: { request: ['clientAddress'] },
});

export function getRateLimitClientAddress(request: FastifyRequest): string {
  // Empty after the client has disconnected.
  return getClientNetwork(request.clientAddress);
}

export function getRateLimitClass(request: FastifyRequest): RateLimitClass {
  if (request.is404) return 'not-found';
  const declared = request.routeOptions.config.rateLimitClass;
  if (declared !== undefined && declared !== 'none') return declared;
  return request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
}

function getRateLimitClient(request: FastifyRequest): string {
  return request.rateLimitPrincipal?.id ?? getRateLimitClientAddress(request);
}

/** Of a key whose account is not known yet: its own. */
function getAccountId(principal: RequestPrincipal): string {
  return (principal.type === 'api-key' ? principal.accountId : null) ?? principal.id;
}

function getMaxRequests(request: FastifyRequest): number {
  const limitClass = getRateLimitClass(request);
  const type = request.rateLimitPrincipal?.type;
  if (type === 'session') return MAX_REFRESHES_PER_SESSION;
  const ofApiKey = type === 'api-key' ? MAX_REQUESTS_PER_API_KEY[limitClass] : undefined;
  return ofApiKey ?? MAX_REQUESTS_PER_CLIENT[limitClass];
}

function hasCredentialInBody({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.findRateLimitSession !== undefined;
}

/** Where credentials are ignored, one would only evade the limit of the address. */
function usesCredential({ is404, routeOptions: { config } }: FastifyRequest): boolean {
  const { access, rateLimitClass } = config;
  if (is404 || access === undefined || rateLimitClass === 'none') return false;
  // A sign-in counts for its address, whoever is signed in.
  return !(access.who === 'anyone' && (access.credential === 'ignored' || rateLimitClass === 'auth'));
}

/** The plugin sends the headers of an older draft, or X-RateLimit-*. */
function setDraftHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const retryAfter = reply.getHeader('retry-after');
  // Whichever limit rejected the request: none remains until Retry-After.
  if (reply.statusCode === 429 && retryAfter !== undefined)
    reply.header('x-ratelimit-remaining', 0).header('x-ratelimit-reset', retryAfter);
  const get = (name: string) => reply.getHeader(`x-ratelimit-${name}`);
  const policy = request.rateLimitPolicy ?? getRateLimitClass(request);
  reply.header('ratelimit-policy', `"${policy}";q=${get('limit')};w=${WINDOW_MS / 1000}`);
  reply.header('ratelimit', `"${policy}";r=${get('remaining')};t=${get('reset')}`);
}

/** Webhooks are signed, and come from few addresses. */
function isPublicWrite({ method, is404, routeOptions: { config } }: FastifyRequest): boolean {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  const isLimited = !['webhook', 'none'].includes(config.rateLimitClass ?? '');
  return !isRead && !is404 && isLimited && config.access?.who === 'anyone';
}

function createRateLimitedError(ttlMs: number): ServiceError {
  return new ServiceError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(ttlMs / 1000) });
}

function findCodeId(request: FastifyRequest): string | undefined {
  const { body, params } = request;
  for (const [from, name] of [
    [body, 'qrCodeId'],
    [params, 'id'],
    [params, 'qr_code_id'],
  ] as const) {
    const id: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
    if (isId(id)) return id;
  }
  return undefined;
}
