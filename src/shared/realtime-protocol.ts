/** The path of the WebSocket. */
export const REALTIME_PATH = '/api/realtime';

/** Subprotocols that are followed by a credential. */
export const CREDENTIAL_SUBPROTOCOLS = ['bearer', 'conversation'] as const;
