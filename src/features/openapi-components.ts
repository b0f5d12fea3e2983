import { Me, RefreshedTokens, Registered, Session, Tokens, User } from './accounts/accounts.schemas.ts';
import { AdminQrCode, AdminUser, Analytics } from './administration/administration.schemas.ts';
import { DashboardCards } from './dashboard/dashboard.schemas.ts';
import { MemoryTag } from './memory-tags/memory-tags.schemas.ts';
import { Notification, ReadAll, UnreadCount } from './notifications/notifications.schemas.ts';
import { ExportedData } from './personal-data/exported-data.schemas.ts';
import { DataExport } from './personal-data/personal-data.schemas.ts';
import { KindDescription, QrCode, QrCodeItem, QrCodePreview, TestLink } from './qrcodes/qrcodes.schemas.ts';
import { ScanDetails, ScanItem, ScanList, ScanResult } from './scans/scan-answers.schemas.ts';
import { SubscriptionPackage, SubscriptionStatus } from './subscriptions/subscriptions.schemas.ts';

/** The named components of the OpenAPI document, by which routes refer to them. */
export const COMPONENTS = [
  User,
  Tokens,
  RefreshedTokens,
  Registered,
  Session,
  Me,
  QrCode,
  QrCodeItem,
  QrCodePreview,
  KindDescription,
  TestLink,
  ScanResult,
  ScanItem,
  ScanDetails,
  ScanList,
  Notification,
  UnreadCount,
  ReadAll,
  DashboardCards,
  DataExport,
  ExportedData,
  MemoryTag,
  SubscriptionPackage,
  SubscriptionStatus,
  AdminUser,
  AdminQrCode,
  Analytics,
];
