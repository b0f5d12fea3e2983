export { RealtimeClientEvent, RealtimeServerEvent } from './realtime.schemas.ts';
