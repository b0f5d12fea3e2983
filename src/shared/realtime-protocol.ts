export const REALTIME_PATH = '/api/realtime';

export const WEBSOCKET_CREDENTIAL_SUBPROTOCOLS = ['bearer', 'conversation'] as const;
