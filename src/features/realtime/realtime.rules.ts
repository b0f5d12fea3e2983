import { CREDENTIAL_SUBPROTOCOLS } from '../../shared/realtime-protocol.ts';

/** What somebody shows to be let in. */
export type SocketCredential = { kind: 'bearer'; token: string } | { kind: 'conversation'; token: string };

interface CredentialHeaders {
  authorization?: string | undefined;
  'sec-websocket-protocol'?: string | undefined;
  'x-conversation-token'?: string | string[] | undefined;
}

/** The credential in the head of a request: Authorization, X-Conversation-Token, or a pair of subprotocols; null where there is none. */
export function parseCredential(heads: CredentialHeaders): SocketCredential | null {
  const { authorization, 'x-conversation-token': conversation, 'sec-websocket-protocol': protocols } = heads;
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (bearer !== undefined) return { kind: 'bearer', token: bearer };
  if (typeof conversation === 'string') return { kind: 'conversation', token: conversation };
  const offered = (protocols ?? '').split(',').map((name) => name.trim());
  for (const kind of CREDENTIAL_SUBPROTOCOLS) {
    const place = offered.indexOf(kind);
    const token = place === -1 ? undefined : offered[place + 1];
    if (token) return { kind, token };
  }
  return null;
}

const TOKEN_NAME_PATTERN = /token|auth|bearer|jwt|credential|session|password/i;
const TOKEN_PATTERN = /^[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?$/;

/** Whether an address carries a credential: it would be in logs and histories, so it is refused even where it is valid. */
export function hasCredentialInQuery(query: URLSearchParams): boolean {
  return [...query].some(([name, value]) => TOKEN_NAME_PATTERN.test(name) || TOKEN_PATTERN.test(value));
}

/** The id that stands for the beginning of a stream without any event. */
export const STREAM_START_ID = '0'.repeat(24);

/** Where a stream ends and what of it is kept. */
interface StreamEnd {
  last: number;
  lastId: string;
  heard: number | null;
  oldest: number | null;
}

/** Where a socket begins in a stream. */
export interface ReplayStart {
  /** Everything after this number comes. */
  after: number;
  /** The id of what has this number. */
  id: string;
  /** Whether something in between is not known any more. */
  isLost: boolean;
}

/**
 * Where a socket begins: after the event that was heard last, or at the end. What was heard is not known any more where
 * its event is gone, but for the very last one.
 * @param end null for a stream without any event
 */
export function getReplayStart(end: StreamEnd | null, since: string | undefined): ReplayStart {
  const now = { after: end?.last ?? 0, id: end?.lastId ?? STREAM_START_ID };
  if (since === undefined || since === now.id) return { ...now, isLost: false };
  if (end?.heard != null) return { after: end.heard, id: since, isLost: false };
  if (since === STREAM_START_ID && end?.oldest === 1) return { after: 0, id: STREAM_START_ID, isLost: false };
  return { ...now, isLost: true };
}

/** Counts within seconds: false beyond so many in one. */
export function createPerSecondLimit(maxPerSecond: number): (now: number) => boolean {
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
