import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { openData, openLost } from './encrypted-content.ts';
import type { Design } from './image/design.schemas.ts';
import { parseKind } from './kinds/all-kinds.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import type { CountedQrCode } from './qrcode.repository.ts';
import type { QrCodeListRow } from './qrcode-list.repository.ts';
import { MODES, NOTIFY_ON, type QrCode, type QrCodeItem, STATUSES, type Warning } from './qrcodes.schemas.ts';
import { givenVisibility, resolveVisibility } from './visibility.rules.ts';

export interface QrCodeViewContext {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

/** A code as its owner sees it. Throws DATA_INTEGRITY when the row was altered. */
export function qrCodeView(
  context: QrCodeViewContext,
  row: CountedQrCode,
  readOnly: boolean,
): Static<typeof QrCode> {
  const kind = kindOf(row.kind);
  const hasPin = row.pinHash !== null;
  return {
    ...qrCodeItemView(context, { ...row, ...countsOf(row), hasPin }),
    data: openData(context.fieldCipher, row),
    visibility: resolveVisibility(kind, givenVisibility(row.visibility), hasPin),
    design: designOf(row),
    adjusted: Array.isArray(row.adjusted) ? (row.adjusted as Static<typeof QrCode>['adjusted']) : [],
    lost: openLost(context.fieldCipher, row),
    readOnly,
  };
}

/** The counts of a code as lists have them. */
function countsOf({ counts }: CountedQrCode) {
  return {
    scanCount: counts?.total ?? 0n,
    humanCount: counts?.humans ?? 0n,
    uniqueCount: counts?.uniques ?? 0n,
    lastScannedAt: counts?.lastScannedAt ?? null,
  };
}

/** A code in a list. */
export function qrCodeItemView(
  { publicBaseUrl }: Pick<QrCodeViewContext, 'publicBaseUrl'>,
  row: QrCodeListRow,
): Static<typeof QrCodeItem> {
  const [total, humans, unique] = [Number(row.scanCount), Number(row.humanCount), Number(row.uniqueCount)];
  return {
    id: row.id,
    ownerId: row.ownerId,
    kind: row.kind,
    mode: MODES.find((mode) => mode === row.mode) ?? 'DYNAMIC',
    title: row.title,
    slug: row.slug,
    status: currentStatus(row),
    imageUrl: row.imageFile ? `${publicBaseUrl}/uploads/qrcodes/${row.imageFile}` : null,
    scanUrl: scanUrlOf(publicBaseUrl, row.id),
    hasPin: row.hasPin,
    contactable: row.contactable,
    showsPage: row.showsPage,
    notifyOn: NOTIFY_ON.find((rule) => rule === row.notifyOn) ?? 'EVERY_SCAN',
    scanCount: total,
    counts: { total, humans, unique },
    lastScannedAt: row.lastScannedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    version: row.version,
    warnings: warningsOf(publicBaseUrl, row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The address in the image of a dynamic code. */
export function scanUrlOf(publicBaseUrl: string, id: string): string {
  return `${publicBaseUrl}/s/${id}`;
}

/** The status at this moment: a code past its date is EXPIRED whatever is stored. */
export function currentStatus(row: { status: string; expiresAt: Date | null }): (typeof STATUSES)[number] {
  if (row.status !== 'DELETED' && row.expiresAt && row.expiresAt <= new Date()) return 'EXPIRED';
  return STATUSES.find((status) => status === row.status) ?? 'PAUSED';
}

/** The definition of a stored kind. */
export function kindOf(name: string): KindDefinition {
  const kind = parseKind(name);
  if (!kind) throw new Error('A code has a kind that is not known.');
  return kind;
}

/** The design a code was drawn with, its logo as a data URL. */
export function designOf(row: { design: unknown; logo: Uint8Array | null }): Design {
  const design = row.design as Design;
  if (!row.logo) return design;
  return { ...design, logo: `data:image/png;base64,${Buffer.from(row.logo).toString('base64')}` };
}

function warningsOf(publicBaseUrl: string, row: { kind: string; mode: string }): Warning[] {
  const warnings: Warning[] = [];
  const { hostname } = new URL(publicBaseUrl);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^(127|0)\./.test(hostname);
  if (isLocal && row.mode === 'DYNAMIC') warnings.push('SCAN_URL_LOCAL');
  if (kindOf(row.kind).sensitive === 'ALWAYS') warnings.push('TITLE_NOT_SECRET');
  return warnings;
}
