import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import type { RequestPrincipal } from './http/rate-limits.ts';
import type { RequestCredential } from './request-credential.ts';

const MAX_REMEMBERED_CREDENTIALS = 20_000;
const API_KEY_TTL_MS = 10 * 60_000;

/**
 * What this process knows of credentials without asking the database. An access token counts for its account until its
 * session is found to have ended, an API key from an address once it was found there.
 */
export interface PrincipalRegistry {
  identify(request: FastifyRequest): RequestPrincipal | null;
  /** Remember what the database said; null for a credential that does not work. */
  remember(credential: RequestCredential, address: string, principal: RequestPrincipal | null): void;
}

export function createPrincipalRegistry(): PrincipalRegistry {
  const endedSessions = new LRUCache<string, true>({
    max: MAX_REMEMBERED_CREDENTIALS,
    ttl: LIFETIMES_SECONDS.accessToken * 1000,
  });
  const apiKeys = new LRUCache<string, RequestPrincipal>({
    max: MAX_REMEMBERED_CREDENTIALS,
    ttl: API_KEY_TTL_MS,
  });
  return {
    identify(request) {
      const credential = request.parseCredential();
      if (credential === null) return null;
      if (credential.type === 'api-key') return apiKeys.get(toApiKeyName(credential, request.ip)) ?? null;
      return endedSessions.has(credential.sessionId)
        ? null
        : { accountId: credential.userId, apiKeyId: null };
    },
    remember(credential, address, principal) {
      if (credential.type === 'session') {
        if (principal === null) endedSessions.set(credential.sessionId, true);
      } else if (principal) apiKeys.set(toApiKeyName(credential, address), principal);
      else apiKeys.delete(toApiKeyName(credential, address));
    },
  };
}

function toApiKeyName({ tokenHash }: { tokenHash: Buffer }, address: string): string {
  return `${tokenHash.toString('base64')} ${address}`;
}
