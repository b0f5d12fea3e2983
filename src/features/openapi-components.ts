import {
  DoneOnDevice,
  Me,
  RefreshedTokens,
  Registered,
  Session,
  Tokens,
  User,
} from './accounts/accounts.schemas.ts';
import { AdminQrCode, AdminUser, Analytics } from './administration/administration.schemas.ts';
import { BreakGlassEntry, BreakGlassGrant } from './administration/break-glass.schemas.ts';
import { AdminReport, AdminReportDetails } from './administration/conversation-reports.schemas.ts';
import { DeadJob, JobDismissed, JobQueue, JobQueues, JobRetried } from './administration/jobs.schemas.ts';
import { AdminPackage, PackageVersion } from './administration/packages.schemas.ts';
import { SupportQrCode, SupportUser } from './administration/support.schemas.ts';
import {
  AuditActionName,
  AuditEntry,
  AuditLog,
  AuditVerification,
  OwnAuditEntry,
  OwnAuditLog,
} from './audit/audit-log.schemas.ts';
import {
  Conversation,
  ConversationEnd,
  ConversationList,
  ConversationMessage,
  ConversationMessageList,
  FinderConversation,
  MessageCheck,
} from './conversations/conversations.schemas.ts';
import { ConversationReport } from './conversations/report.schemas.ts';
import { DashboardCards } from './dashboard/dashboard.schemas.ts';
import { DocumentGrant, GivenDocument, GivenDocumentList } from './document-grants/grants.schemas.ts';
import {
  DocumentReading,
  DocumentReadingList,
  DocumentShare,
  NewDocumentShare,
  OpenedDocument,
  SharedDocumentLook,
} from './document-shares/shares.schemas.ts';
import { Document, DocumentItem, DocumentVersion } from './documents/documents.schemas.ts';
import { Identity, SignInStart } from './identities/identities.schemas.ts';
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
  LogInAnswer,
  MfaConfirmed,
  MfaEnrollment,
  MfaState,
  MfaStep,
  RecoveryCodes,
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
  User,
  Tokens,
  MfaStep,
  LogInAnswer,
  MfaState,
  MfaEnrollment,
  RecoveryCodes,
  MfaConfirmed,
  RefreshedTokens,
  DoneOnDevice,
  Registered,
  Session,
  Me,
  SignInStart,
  Identity,
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
  MessageCheck,
  ConversationMessage,
  ConversationMessageList,
  FinderConversation,
  Conversation,
  ConversationList,
  ConversationEnd,
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
  NewDocumentShare,
  SharedDocumentLook,
  OpenedDocument,
  DocumentReading,
  DocumentReadingList,
  DocumentGrant,
  GivenDocument,
  GivenDocumentList,
  Document,
  DocumentItem,
  DocumentVersion,
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
  Analytics,
  AdminReport,
  AdminReportDetails,
  JobQueue,
  JobQueues,
  DeadJob,
  JobRetried,
  JobDismissed,
  AuditActionName,
  AuditEntry,
  AuditLog,
  AuditVerification,
  OwnAuditEntry,
  OwnAuditLog,
  BreakGlassGrant,
  BreakGlassEntry,
  SupportUser,
  SupportQrCode,
];
