export {
  type ApiResponse,
  type Client,
  type ClientOptions,
  createClient,
  type SyncOptions,
} from './client.ts';
export {
  ApiError,
  type ErrorCode,
  type FieldProblem,
  NetworkError,
  type Problem,
  SecondFactorRequiredError,
  TimeoutError,
} from './errors.ts';
export type {
  CallOptions,
  ListItem,
  ListPath,
  PathOf,
  RequestOptions,
  ResponseData,
  Schemas,
} from './operation-types.ts';
export {
  type ClientEvent,
  connectRealtime,
  type RealtimeConnection,
  RealtimeError,
  type RealtimeOptions,
  type RealtimeSocket,
  type ServerEvent,
} from './realtime.ts';
export type { Authentication, LogInOptions, SecondFactor, Session, SessionStore } from './session.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './verify-webhook.ts';
