import rateLimit from '@fastify/rate-limit';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { getClientNetwork, getIpv6Site } from '../../shared/client-address.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { createSharedRateLimitCounters } from './rate-limit-counters.ts';
import type { RateLimitStore } from './rate-limit-stores.ts';

export const MAX_REQUESTS_PER_ADDRESS = {
  read: 300,
  write: 120,
  auth: 20,
  'public-read': 120,
  'public-scan': 300,
  upload: 20,
  static: 600,
  page: 300,
  // All events of a provider come from few addresses.
  webhook: 30_000,
  'not-found': 60,
} as const;

export const MAX_REQUESTS_PER_CODE: Partial<Record<RateLimitClass, number>> = { 'public-scan': 30 };

/**
 * Requests without an account that leave something on the disk, of a client in a day: visits of pages that are recorded,
 * and all that are not reads. Each leaves a few kB; pages are shown beyond it, too.
 */
export const MAX_STORED_REQUESTS_PER_DAY = 20_000;

/** Pages that are shown above the limits, without a record, until none is. Per code, so that one code cannot use all. */
const MAX_PAGES_ABOVE_LIMIT = { address: 300, code: 90 };

/** Pages of unknown codes. */
const MAX_UNKNOWN_PAGES = 60;

const WINDOW_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** An IPv6 /48 has 65,536 client networks (/64) but is often one customer: together this many times one limit. */
const IPV6_SITE_FACTOR = 10;

export type RateLimitClass = keyof typeof MAX_REQUESTS_PER_ADDRESS;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limit class of a route; `none` for health checks. Default: read for GET, else write. */
    rateLimitClass?: RateLimitClass | 'none';
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
}

/** Limit requests by client (IPv4, or IPv6 /64 and /48) and class (draft-ietf-httpapi-ratelimit-headers-06). */
const plugin: FastifyPluginAsync<RateLimitsOptions> = async (app, options) => {
  const counters = createSharedRateLimitCounters({
    ...options,
    onStandaloneChange: (isStandalone) =>
      isStandalone
        ? app.log.warn('rate limits: shared store unavailable, counting in this instance')
        : app.log.info('rate limits: shared store available again'),
  });
  app.addHook('onClose', () => counters.close());

  class Store {
    incr(
      key: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
      max: number,
    ): void {
      counters
        .incrementWithin(key, windowMs, max)
        .then(({ hits, ttlMs }) => done(null, { current: hits, ttl: ttlMs }), done);
    }
    child(): Store {
      return this;
    }
  }

  await app.register(rateLimit, {
    global: false,
    store: Store,
    timeWindow: WINDOW_MS,
    enableDraftSpec: true,
    max: (request) => scaled(MAX_REQUESTS_PER_ADDRESS[getRateLimitClass(request)]),
    keyGenerator: (request) => `${getRateLimitClass(request)} ${getRateLimitClientAddress(request)}`,
    allowList: (request) => request.routeOptions.config.rateLimitClass === 'none',
    errorResponseBuilder: (_request, { ttl }) => createRateLimitedError(ttl),
  });

  const limit = app.rateLimit();
  app.addHook('onRequest', async function (request, reply) {
    await limitIpv6Site(request);
    await limit.call(this, request, reply);
    if (!isPublicWrite(request)) return;
    const waitSeconds = await consumeStoredRequest(request);
    if (waitSeconds !== undefined) throw createRateLimitedError(waitSeconds * 1000);
  });
  app.addHook('preHandler', async (request, reply) => {
    const max = MAX_REQUESTS_PER_CODE[getRateLimitClass(request)];
    const code = max === undefined ? undefined : findCodeId(request);
    if (max !== undefined && code !== undefined) await limitCode(request, reply, code, scaled(max));
  });

  app.decorate(
    'consumeCodeRateLimit',
    async (request, codeId) =>
      (await consumeOfClient(request, ['code', codeId], scaled(MAX_REQUESTS_PER_CODE['public-scan'] ?? 0))) ??
      consumeStoredRequest(request),
  );

  // In turn: a refused client leaves no key for each id that it invents.
  app.decorate(
    'consumeUnrecordedPageLimit',
    async (request, codeId) =>
      (await consumeOfClient(request, ['page-above'], scaled(MAX_PAGES_ABOVE_LIMIT.address))) ??
      consumeOfClient(request, ['page-above', codeId], scaled(MAX_PAGES_ABOVE_LIMIT.code)),
  );

  app.decorate('consumeUnknownPage', (request) =>
    consumeOfClient(request, ['page-unknown'], scaled(MAX_UNKNOWN_PAGES)),
  );

  // Whichever limit rejected the request: none remains until Retry-After.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const seconds = reply.getHeader('retry-after');
    if (reply.statusCode === 429 && seconds !== undefined && reply.hasHeader('ratelimit-limit'))
      reply.header('ratelimit-remaining', 0).header('ratelimit-reset', seconds);
    done(null, payload);
  });

  function consumeStoredRequest(request: FastifyRequest): Promise<number | undefined> {
    return consumeOfClient(request, ['stored'], scaled(MAX_STORED_REQUESTS_PER_DAY), DAY_MS);
  }

  /** Consume one of a client and, for IPv6, of its site first: a refused site leaves no key for each of its clients. */
  async function consumeOfClient(
    request: FastifyRequest,
    [name, ...subject]: readonly [name: string, codeId?: string],
    max: number,
    windowMs = WINDOW_MS,
  ): Promise<number | undefined> {
    const site = getIpv6Site(request.ip ?? '');
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
  async function limitCode(
    request: FastifyRequest,
    reply: FastifyReply,
    code: string,
    max: number,
  ): Promise<void> {
    const site = getIpv6Site(request.ip ?? '');
    if (site !== null) await limitSite(`code site ${site} ${code}`, max);
    const key = `code ${getRateLimitClientAddress(request)} ${code}`;
    const { hits, ttlMs } = await counters.incrementWithin(key, WINDOW_MS, max);
    const remaining = Math.max(0, max - hits);
    if (remaining < Number(reply.getHeader('ratelimit-remaining') ?? Number.POSITIVE_INFINITY)) {
      reply.header('ratelimit-limit', max).header('ratelimit-remaining', remaining);
      reply.header('ratelimit-reset', Math.ceil(ttlMs / 1000));
    }
    if (hits > max) throw createRateLimitedError(ttlMs);
  }

  async function limitIpv6Site(request: FastifyRequest): Promise<void> {
    const site = request.routeOptions.config.rateLimitClass === 'none' ? null : getIpv6Site(request.ip ?? '');
    if (site === null) return;
    const limitClass = getRateLimitClass(request);
    await limitSite(`${limitClass} site ${site}`, scaled(MAX_REQUESTS_PER_ADDRESS[limitClass]));
  }

  /** @throws RATE_LIMITED */
  async function limitSite(key: string, maxOfClient: number): Promise<void> {
    const max = maxOfClient * IPV6_SITE_FACTOR;
    const { hits, ttlMs } = await counters.incrementWithin(key, WINDOW_MS, max);
    if (hits > max) throw createRateLimitedError(ttlMs);
  }

  function scaled(max: number): number {
    return Math.max(1, Math.round(max * options.scale));
  }
};

export const rateLimitsPlugin = fp(plugin, { name: 'rate-limits' });

export function getRateLimitClientAddress(request: FastifyRequest): string {
  // Undefined after the client has disconnected.
  return getClientNetwork(request.ip ?? '');
}

export function getRateLimitClass(request: FastifyRequest): RateLimitClass {
  if (request.is404) return 'not-found';
  const declared = request.routeOptions.config.rateLimitClass;
  if (declared !== undefined && declared !== 'none') return declared;
  return request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
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
