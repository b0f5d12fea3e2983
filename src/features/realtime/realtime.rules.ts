import { WEBSOCKET_CREDENTIAL_SUBPROTOCOLS } from '../../shared/realtime-protocol.ts';

export type SocketCredential = { kind: 'bearer'; token: string } | { kind: 'conversation'; token: string };

interface CredentialHeaders {
  authorization?: string | undefined;
  'sec-websocket-protocol'?: string | undefined;
  'x-conversation-token'?: string | string[] | undefined;
}

/** Parse the credential in Authorization, X-Conversation-Token, or a pair of subprotocols; null without one. */
export function parseSocketCredential(headers: CredentialHeaders): SocketCredential | null {
  const {
    authorization,
    'x-conversation-token': conversation,
    'sec-websocket-protocol': protocols,
  } = headers;
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (bearer !== undefined) return { kind: 'bearer', token: bearer };
  if (typeof conversation === 'string') return { kind: 'conversation', token: conversation };
  const offered = (protocols ?? '').split(',').map((name) => name.trim());
  for (const kind of WEBSOCKET_CREDENTIAL_SUBPROTOCOLS) {
    const index = offered.indexOf(kind);
    const token = index === -1 ? undefined : offered[index + 1];
    if (token) return { kind, token };
  }
  return null;
}

const TOKEN_NAME_PATTERN = /token|auth|bearer|jwt|credential|session|password/i;
const TOKEN_PATTERN = /^[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?$/;

/** Check for a credential in the query. It would be logged, so it is rejected even if valid. */
export function hasCredentialInQuery(query: URLSearchParams): boolean {
  return [...query].some(([name, value]) => TOKEN_NAME_PATTERN.test(name) || TOKEN_PATTERN.test(value));
}

/** Id for the start of a stream without events. */
export const STREAM_START_ID = '0'.repeat(24);

/** The end of a stream, and the position of `since` in it. */
interface StreamEnd {
  last: number;
  lastId: string;
  heard: number | null;
  oldest: number | null;
}

export interface ReplayStart {
  /** Sequence number; later events are sent. */
  after: number;
  id: string;
  /** Some events after `since` are no longer stored. */
  isLost: boolean;
}

/**
 * Return where a socket starts: after the last event that it received, or at the end of the stream.
 * @param end null for a stream without events
 */
export function getReplayStart(end: StreamEnd | null, since: string | undefined): ReplayStart {
  const now = { after: end?.last ?? 0, id: end?.lastId ?? STREAM_START_ID };
  if (since === undefined || since === now.id) return { ...now, isLost: false };
  if (end?.heard != null) return { after: end.heard, id: since, isLost: false };
  if (since === STREAM_START_ID && end?.oldest === 1) return { after: 0, id: STREAM_START_ID, isLost: false };
  return { ...now, isLost: true };
}

/** Create a counter that returns false for calls beyond a maximum per second. */
export function createPerSecondLimiter(maxPerSecond: number): (now: number) => boolean {
  let since = 0;
  let count = 0;
  return (now) => {
    if (now - since >= 1_000) {
      since = now;
      count = 0;
    }
    count += 1;
    return count <= maxPerSecond;
  };
}
