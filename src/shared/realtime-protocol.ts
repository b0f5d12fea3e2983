export const REALTIME_PATH = '/api/realtime';

export const CREDENTIAL_SUBPROTOCOLS = ['bearer', 'conversation'] as const;
