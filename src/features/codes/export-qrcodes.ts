import type { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { recordAuditEntries, recordAuditEntry } from '../../platform/audit.ts';
import { canReadHealthData } from '../../platform/health-data.ts';
import {
  readOrReportIntegrityFailure,
  toIntegrityFailureAuditEntry,
} from '../../platform/integrity-failure.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createTableExportStream, type TableExportOptions } from '../../platform/table-export.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import type { ListPosition } from '../../shared/list-cursor.ts';
import { decryptQrCodeData, type QrCodeData } from './encrypted-content.ts';
import { getFolderId } from './folders/folder-of-code.ts';
import { toPageDesign } from './page-design.rules.ts';
import type { QrCodeWithScanCounts } from './qrcode.repository.ts';
import {
  getCurrentQrCodeStatus,
  getQrCodeDesign,
  getQrCodeImageUrl,
  getQrCodeKindByName,
  getQrCodeScanUrl,
} from './qrcode.view.ts';
import { listKindsOfOwner, listQrCodesWithContent } from './qrcode-list.repository.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { formatShortNumber } from './short-number.rules.ts';
import { parseFieldVisibilities } from './visibility.rules.ts';

/** Codes that are decrypted before the event loop continues. */
const CHUNK_CODES = 100;

/** Columns before those of `data`, and after them. */
const FIRST_COLUMNS = ['id', 'externalId', 'kind', 'mode', 'title', 'status', 'folder'];
const LAST_COLUMNS = [
  ...['visibility', 'metadata', 'design', 'pageDesign', 'contactable', 'showsPage', 'notifyOn', 'hasPin'],
  ...[
    'expiresAt',
    'shortNumber',
    'scanUrl',
    'imageUrl',
    'scanCount',
    'lastScannedAt',
    'version',
    'createdAt',
    'updatedAt',
  ],
];

export interface QrCodeExport extends TableExportOptions {
  accountId: string;
  kinds: readonly string[] | undefined;
  /** Id of a folder, or `none`. */
  folder?: string | undefined;
}

/** Export codes newest first, as an import reads them. Medical content is audited; what fails decryption is null. @throws RATE_LIMITED */
export async function createQrCodeExportStream(
  services: QrCodeServices,
  context: RequestContext,
  { accountId, kinds, folder, format, bom }: QrCodeExport,
): Promise<Readable> {
  const wanted = kinds ?? (await listKindsOfOwner(services.database.client, accountId));
  const filter = {
    accountId,
    folder,
    kinds: canReadHealthData(context) ? wanted : wanted.filter((kind) => kind !== 'MEDICAL'),
  };
  const fields = new Set(
    filter.kinds.flatMap((name) => Object.keys(getQrCodeKindByName(name).schema.properties)),
  );
  const columns = [...FIRST_COLUMNS, ...[...fields].map((field) => `data.${field}`), ...LAST_COLUMNS];
  const toRecord = format === 'csv' ? toCsvRecord : (code: ExportedQrCode) => code;
  return createTableExportStream(accountId, readChunks(services, context, filter, toRecord), columns, {
    format,
    bom,
  });
}

async function* readChunks(
  services: QrCodeServices,
  context: RequestContext,
  filter: { accountId: string; kinds: readonly string[]; folder: string | undefined },
  toRecord: (code: ExportedQrCode) => object,
): AsyncGenerator<string[]> {
  const { database } = services;
  for (let after: ListPosition | null = null; ; ) {
    const rows = await database.read(({ client }) =>
      listQrCodesWithContent(client, filter, after, CHUNK_CODES),
    );
    const failures: IntegrityFailure[] = [];
    const chunk = rows.map((row) =>
      JSON.stringify(toRecord(toExportedQrCode(services, row, (failure) => failures.push(failure)))),
    );
    const medical = rows.filter(({ kind }) => kind === 'MEDICAL').map(({ id }) => id);
    if (medical.length + failures.length > 0)
      await database.transaction(async (tx) => {
        await recordAuditEntries(tx, context, medical, { action: 'MEDICAL_DATA_READ' });
        for (const failure of failures)
          await recordAuditEntry(tx, context, toIntegrityFailureAuditEntry(failure));
      });
    if (chunk.length > 0) yield chunk;
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK_CODES) return;
    after = { key: last.createdAt.getTime(), id: last.id };
    await immediate();
  }
}

type ExportedQrCode = ReturnType<typeof toExportedQrCode>;

function toExportedQrCode(
  { fieldCipher, publicBaseUrl }: QrCodeServices,
  row: QrCodeWithScanCounts,
  onIntegrityFailure: (failure: IntegrityFailure) => void,
) {
  return {
    id: row.id,
    externalId: row.externalId,
    kind: row.kind,
    mode: row.mode,
    title: row.title,
    status: getCurrentQrCodeStatus(row),
    folder: getFolderId(row) === null ? null : (row.folder?.name ?? null),
    data: readOrReportIntegrityFailure(() => decryptQrCodeData(fieldCipher, row), onIntegrityFailure),
    visibility: parseFieldVisibilities(row.visibility),
    metadata: row.metadata,
    design: getQrCodeDesign(row),
    pageDesign: toPageDesign(row.pageDesign),
    contactable: row.contactable,
    showsPage: row.showsPage,
    notifyOn: row.notifyOn,
    hasPin: row.pinHash !== null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    shortNumber: row.shortNumber && formatShortNumber(row.shortNumber.number),
    scanUrl: getQrCodeScanUrl(publicBaseUrl, row.id),
    imageUrl: getQrCodeImageUrl(publicBaseUrl, row.imageFile),
    scanCount: Number(row.counts?.total ?? 0),
    lastScannedAt: row.counts?.lastScannedAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Convert to cells: objects and arrays to JSON, empty ones to nothing. */
function toCsvRecord({ data, ...code }: ExportedQrCode): object {
  const fields = Object.entries<unknown>((data ?? {}) satisfies QrCodeData);
  const cells = [...Object.entries(code), ...fields.map(([name, value]) => [`data.${name}`, value] as const)];
  return Object.fromEntries(cells.map(([name, value]) => [name, toCell(value)]));
}

function toCell(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}
