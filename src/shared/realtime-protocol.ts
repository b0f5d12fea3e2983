export const REALTIME_PATH = '/api/realtime';

/** Each is followed by a credential. */
export const CREDENTIAL_SUBPROTOCOLS = ['bearer', 'conversation'] as const;
