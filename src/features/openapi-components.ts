import {
  CurrentUserResponse,
  DeviceTokenResponse,
  RefreshTokenResponse,
  RegistrationResponse,
  SessionSchema,
  TokenResponse,
  UserSchema,
} from './accounts/accounts.schemas.ts';
import { AdminQrCode, AdminUser, AnalyticsResponse } from './administration/administration.schemas.ts';
import { BreakGlassEntry, BreakGlassGrant } from './administration/break-glass.schemas.ts';
import { AdminReport, AdminReportDetails } from './administration/conversation-reports.schemas.ts';
import {
  FailedJob,
  JobDismissalResponse,
  JobQueueList,
  JobQueueSchema,
  JobRetryResponse,
} from './administration/jobs.schemas.ts';
import { AdminPackage, PackageVersion } from './administration/packages.schemas.ts';
import { SupportQrCode, SupportUser } from './administration/support.schemas.ts';
import {
  AuditActionSchema,
  AuditEntry,
  AuditLogResponse,
  AuditVerificationResponse,
  OwnAuditEntry,
  OwnAuditLogResponse,
} from './audit/audit-log.schemas.ts';
import {
  ConversationEndResponse,
  ConversationList,
  ConversationMessage,
  ConversationMessageList,
  ConversationSchema,
  FinderConversation,
  MessageCheckResponse,
} from './conversations/conversations.schemas.ts';
import { ConversationReport } from './conversations/report.schemas.ts';
import { DashboardCards } from './dashboard/dashboard.schemas.ts';
import { DocumentGrant, ReceivedDocument, ReceivedDocumentList } from './document-grants/grants.schemas.ts';
import {
  CreatedShareResponse,
  DocumentAccess,
  DocumentAccessList,
  DocumentShare,
  ShareAccessResponse,
  SharedDocumentPreview,
} from './document-shares/shares.schemas.ts';
import { DocumentItem, DocumentSchema, DocumentVersionSchema } from './documents/documents.schemas.ts';
import { IdentitySchema, SignInStartResponse } from './identities/identities.schemas.ts';
import { CaredFor, Caretaker } from './memory-tags/caretakers.schemas.ts';
import { MemoryTagPicture } from './memory-tags/gallery.schemas.ts';
import { GuestBook, GuestBookEntry } from './memory-tags/guest-book.schemas.ts';
import { MemoryTag, MemoryTagItem } from './memory-tags/memory-tags.schemas.ts';
import { Notification, ReadAll, UnreadCount } from './notifications/notifications.schemas.ts';
import { NotificationPreferences } from './notifications/preferences.schemas.ts';
import { WebhookReceived } from './payments/webhooks.schemas.ts';
import { ExportedData } from './personal-data/exported-data.schemas.ts';
import { DataExport } from './personal-data/personal-data.schemas.ts';
import { PushDevice } from './push/push-devices.schemas.ts';
import { KindDescription, QrCode, QrCodeItem, QrCodePreview, TestLink } from './qrcodes/qrcodes.schemas.ts';
import { RealtimeClientEvent, RealtimeServerEvent } from './realtime/realtime.schemas.ts';
import { ScanDetails, ScanItem, ScanList, ScanLocation, ScanResult } from './scans/scan-answers.schemas.ts';
import {
  LogInResponse,
  MfaChallengeResponse,
  MfaConfirmationResponse,
  MfaEnrollmentResponse,
  MfaStateResponse,
  RecoveryCodesResponse,
} from './second-factor/second-factor.schemas.ts';
import { ScanStatistics } from './statistics/statistics.schemas.ts';
import { Invoice, InvoiceList, InvoicePage } from './subscriptions/invoices.schemas.ts';
import {
  ChangePreview,
  CheckoutSession,
  CheckoutState,
  PortalSession,
} from './subscriptions/purchase.schemas.ts';
import {
  Subscription,
  SubscriptionPackage,
  SubscriptionStatus,
} from './subscriptions/subscriptions.schemas.ts';

/** The named components of the OpenAPI document, by which routes refer to them. */
export const COMPONENTS = [
  UserSchema,
  TokenResponse,
  MfaChallengeResponse,
  LogInResponse,
  MfaStateResponse,
  MfaEnrollmentResponse,
  RecoveryCodesResponse,
  MfaConfirmationResponse,
  RefreshTokenResponse,
  DeviceTokenResponse,
  RegistrationResponse,
  SessionSchema,
  CurrentUserResponse,
  SignInStartResponse,
  IdentitySchema,
  QrCode,
  QrCodeItem,
  QrCodePreview,
  KindDescription,
  TestLink,
  ScanResult,
  ScanLocation,
  ScanItem,
  ScanDetails,
  ScanList,
  MessageCheckResponse,
  ConversationMessage,
  ConversationMessageList,
  FinderConversation,
  ConversationSchema,
  ConversationList,
  ConversationEndResponse,
  ConversationReport,
  Notification,
  NotificationPreferences,
  UnreadCount,
  ReadAll,
  RealtimeServerEvent,
  RealtimeClientEvent,
  PushDevice,
  DashboardCards,
  ScanStatistics,
  DataExport,
  ExportedData,
  CaredFor,
  Caretaker,
  GuestBook,
  GuestBookEntry,
  MemoryTag,
  MemoryTagItem,
  DocumentShare,
  CreatedShareResponse,
  SharedDocumentPreview,
  ShareAccessResponse,
  DocumentAccess,
  DocumentAccessList,
  DocumentGrant,
  ReceivedDocument,
  ReceivedDocumentList,
  DocumentSchema,
  DocumentItem,
  DocumentVersionSchema,
  MemoryTagPicture,
  SubscriptionPackage,
  AdminPackage,
  PackageVersion,
  SubscriptionStatus,
  Subscription,
  CheckoutSession,
  CheckoutState,
  PortalSession,
  ChangePreview,
  Invoice,
  InvoiceList,
  InvoicePage,
  WebhookReceived,
  AdminUser,
  AdminQrCode,
  AnalyticsResponse,
  AdminReport,
  AdminReportDetails,
  JobQueueSchema,
  JobQueueList,
  FailedJob,
  JobRetryResponse,
  JobDismissalResponse,
  AuditActionSchema,
  AuditEntry,
  AuditLogResponse,
  AuditVerificationResponse,
  OwnAuditEntry,
  OwnAuditLogResponse,
  BreakGlassGrant,
  BreakGlassEntry,
  SupportUser,
  SupportQrCode,
];
