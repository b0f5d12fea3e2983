import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { getClientNetwork, getIpv6Site } from '../shared/client-address.ts';
import { DAY_MS } from '../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import type { RequestPrincipal } from './http/rate-limits.ts';
import type { RequestCredential } from './request-credential.ts';

/** As a size: `max` would reserve the memory at once. */
const REMEMBERED_CREDENTIALS = { maxSize: 20_000, sizeCalculation: () => 1 };
const API_KEY_TTL_MS = 10 * 60_000;

/** Requests that a token with a MAC may have sent before the database says whether it works. */
const MAX_UNCONFIRMED_REQUESTS = 30;

/**
 * What this process knows of credentials without asking the database. An access token counts for its account until its
 * session is found to have ended, an API key from an address once it was found there. Before, the token of a key counts for
 * itself when its MAC is right, until it is found not to work.
 */
export interface PrincipalRegistry {
  identify(request: FastifyRequest): RequestPrincipal | null;
  /** Remember what the database said; null for a credential that does not work. */
  remember(credential: RequestCredential, address: string, principal: RequestPrincipal | null): void;
}

type ApiKeyCredential = Extract<RequestCredential, { type: 'api-key' }>;

export function createPrincipalRegistry(): PrincipalRegistry {
  const endedSessions = new LRUCache<string, true>({
    ...REMEMBERED_CREDENTIALS,
    ttl: LIFETIMES_SECONDS.accessToken * 1000,
  });
  /** A cookie has no end of its own. */
  const endedCookies = new LRUCache<string, true>({ ...REMEMBERED_CREDENTIALS, ttl: DAY_MS });
  const apiKeys = new LRUCache<string, RequestPrincipal>({
    ...REMEMBERED_CREDENTIALS,
    ttl: API_KEY_TTL_MS,
  });
  const unconfirmedRequests = new LRUCache<string, number>({
    ...REMEMBERED_CREDENTIALS,
    ttl: API_KEY_TTL_MS,
  });
  return {
    identify(request) {
      const credential = request.parseCredential();
      if (credential === null) return null;
      if (credential.type === 'api-key')
        return (
          apiKeys.get(toApiKeyName(credential, request.clientAddress)) ??
          identifyToken(credential, request.clientAddress)
        );
      const hasEnded =
        credential.type === 'cookie'
          ? endedCookies.has(credential.secretHash.toString('base64'))
          : endedSessions.has(credential.sessionId);
      return hasEnded ? null : { type: 'account', id: credential.userId };
    },
    remember(credential, address, principal) {
      if (credential.type === 'cookie') {
        if (principal === null) endedCookies.set(credential.secretHash.toString('base64'), true);
        return;
      }
      if (credential.type === 'session') {
        if (principal === null) endedSessions.set(credential.sessionId, true);
        return;
      }
      if (principal) apiKeys.set(toApiKeyName(credential, address), principal);
      else apiKeys.delete(toApiKeyName(credential, address));
      if (!credential.hasMac) return;
      if (principal) unconfirmedRequests.delete(toTokenName(credential, address));
      else unconfirmedRequests.set(toTokenName(credential, address), MAX_UNCONFIRMED_REQUESTS);
    },
  };

  function identifyToken(credential: ApiKeyCredential, address: string): RequestPrincipal | null {
    if (!credential.hasMac) return null;
    const name = toTokenName(credential, address);
    const requests = unconfirmedRequests.get(name) ?? 0;
    if (requests >= MAX_UNCONFIRMED_REQUESTS) return null;
    unconfirmedRequests.set(name, requests + 1);
    return { type: 'api-key', id: name, accountId: null };
  }
}

function toApiKeyName({ tokenHash }: ApiKeyCredential, address: string): string {
  return `${tokenHash.toString('base64')} ${address}`;
}

/** By network, so that a revoked token has no new requests at each address of an IPv6 client. */
function toTokenName({ tokenHash }: ApiKeyCredential, address = ''): string {
  return `${tokenHash.toString('base64')} ${getIpv6Site(address) ?? getClientNetwork(address)}`;
}
