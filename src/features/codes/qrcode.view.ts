import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { QrCodeDesign } from '../../platform/qr-image/design.schemas.ts';
import { toAccountFields } from '../../shared/common.schemas.ts';
import type { Metadata } from '../../shared/metadata.schemas.ts';
import { decryptQrCodeData, LOST_ITEM_REPORT, type QrCodeData } from './encrypted-content.ts';
import { getFolderId } from './folders/folder-of-code.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';
import { toPageDesign } from './page-design.rules.ts';
import type { QrCodeWithScanCounts } from './qrcode.repository.ts';
import type { QrCodeListRow } from './qrcode-list.repository.ts';
import {
  QR_CODE_MODES,
  QR_CODE_NOTIFY_ON_VALUES,
  QR_CODE_STATUSES,
  type QrCode,
  type QrCodeItem,
  type QrCodeWarning,
} from './qrcodes.schemas.ts';
import { formatShortNumber } from './short-number.rules.ts';
import {
  type FieldVisibility,
  parseFieldVisibilities,
  resolveFieldVisibilities,
  showsNothingUseful,
} from './visibility.rules.ts';

export interface QrCodeViewContext {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

/** @throws DATA_INTEGRITY */
export function toQrCodeView(
  context: QrCodeViewContext,
  row: QrCodeWithScanCounts,
  readOnly: boolean,
): Static<typeof QrCode> {
  const hasPin = row.pinHash !== null;
  const shortNumber = row.shortNumber?.number ?? null;
  const item = toQrCodeItemView(context, {
    ...row,
    ...toCounts(row),
    hasPin,
    shortNumber,
    folderId: getFolderId(row),
  });
  const { data, visibility } = decryptContent(context, row);
  return {
    ...item,
    warnings: listQrCodeWarnings(context, row, { data, visibility }),
    // Every kind of tag has a name, which is required.
    data: row.status === 'UNCLAIMED' ? { name: row.title } : data,
    visibility,
    design: getQrCodeDesign(row),
    pageDesign: toPageDesign(row.pageDesign),
    adjusted: Array.isArray(row.adjusted) ? (row.adjusted as Static<typeof QrCode>['adjusted']) : [],
    lost: LOST_ITEM_REPORT.decrypt(context.fieldCipher, row),
    readOnly,
  };
}

function toCounts({ counts }: QrCodeWithScanCounts) {
  return {
    scanCount: counts?.total ?? 0n,
    humanCount: counts?.humans ?? 0n,
    uniqueCount: counts?.uniques ?? 0n,
    lastScannedAt: counts?.lastScannedAt ?? null,
  };
}

export function toQrCodeItemView(
  { publicBaseUrl }: Pick<QrCodeViewContext, 'publicBaseUrl'>,
  row: Omit<QrCodeListRow, 'searchText'>,
): Static<typeof QrCodeItem> {
  const [total, humans, unique] = [Number(row.scanCount), Number(row.humanCount), Number(row.uniqueCount)];
  return {
    id: row.id,
    ...toAccountFields(row.accountId),
    kind: row.kind,
    mode: QR_CODE_MODES.find((mode) => mode === row.mode) ?? 'DYNAMIC',
    title: row.title,
    slug: row.slug,
    externalId: row.externalId,
    shortNumber: row.shortNumber && formatShortNumber(row.shortNumber),
    metadata: row.metadata as Metadata,
    folderId: row.folderId,
    status: getCurrentQrCodeStatus(row),
    takenDownAt: row.takenDownAt?.toISOString() ?? null,
    imageUrl: getQrCodeImageUrl(publicBaseUrl, row.imageFile),
    scanUrl: getQrCodeScanUrl(publicBaseUrl, row.id),
    hasPin: row.hasPin,
    contactable: row.contactable,
    showsPage: row.showsPage,
    notifyOn: QR_CODE_NOTIFY_ON_VALUES.find((rule) => rule === row.notifyOn) ?? 'EVERY_SCAN',
    scanCount: total,
    counts: { total, humans, unique },
    lastScannedAt: row.lastScannedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    version: row.version,
    warnings: listWarnings(publicBaseUrl, row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function getQrCodeImageUrl(publicBaseUrl: string, imageFile: string | null): string | null {
  return imageFile && `${publicBaseUrl}/uploads/qrcodes/${imageFile}`;
}

export function getQrCodeScanUrl(publicBaseUrl: string, id: string): string {
  return `${publicBaseUrl}/s/${id}`;
}

/** EXPIRED after the expiry date, whatever is stored. */
export function getCurrentQrCodeStatus(row: {
  status: string;
  expiresAt: Date | null;
}): (typeof QR_CODE_STATUSES)[number] {
  if (row.status !== 'DELETED' && row.expiresAt && row.expiresAt <= new Date()) return 'EXPIRED';
  return QR_CODE_STATUSES.find((status) => status === row.status) ?? 'PAUSED';
}

export function getQrCodeKindByName(name: string): QrCodeKindDefinition {
  const kind = parseQrCodeKind(name);
  if (!kind) throw new Error('Unknown kind of code.');
  return kind;
}

export function getQrCodeDesign(row: { design: unknown; logo: Uint8Array | null }): QrCodeDesign {
  const design = row.design as QrCodeDesign;
  if (!row.logo) return design;
  return { ...design, logo: `data:image/png;base64,${Buffer.from(row.logo).toString('base64')}` };
}

/** Whether codes lead to this machine, where no phone can open them. */
export function isLocalBaseUrl(publicBaseUrl: string): boolean {
  const { hostname } = new URL(publicBaseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^(127|0)\./.test(hostname);
}

function listWarnings(publicBaseUrl: string, row: { kind: string; mode: string }): QrCodeWarning[] {
  const warnings: QrCodeWarning[] = [];
  if (isLocalBaseUrl(publicBaseUrl) && row.mode === 'DYNAMIC') warnings.push('SCAN_URL_LOCAL');
  if (getQrCodeKindByName(row.kind).sensitive === 'ALWAYS') warnings.push('TITLE_NOT_SECRET');
  return warnings;
}

type StoredContent = Parameters<typeof decryptQrCodeData>[1] & {
  kind: string;
  visibility: unknown;
  pinHash: string | null;
};

/** What finders may see of a code. */
export interface QrCodeContent {
  data: QrCodeData;
  visibility: Record<string, FieldVisibility>;
}

function decryptContent(
  { fieldCipher }: Pick<QrCodeViewContext, 'fieldCipher'>,
  row: StoredContent,
): QrCodeContent {
  const kind = getQrCodeKindByName(row.kind);
  const stored = parseFieldVisibilities(row.visibility);
  return {
    data: decryptQrCodeData(fieldCipher, row),
    visibility: resolveFieldVisibilities(kind, stored, row.pinHash !== null),
  };
}

/** List the warnings of a code with its content. @throws DATA_INTEGRITY */
export function listQrCodeWarnings(
  context: QrCodeViewContext,
  row: StoredContent & { mode: string },
  { data, visibility }: QrCodeContent = decryptContent(context, row),
): QrCodeWarning[] {
  const warnings = listWarnings(context.publicBaseUrl, row);
  const isEmpty =
    row.mode === 'DYNAMIC' && showsNothingUseful(getQrCodeKindByName(row.kind), data, visibility);
  return isEmpty ? [...warnings, 'NOTHING_PUBLIC'] : warnings;
}
