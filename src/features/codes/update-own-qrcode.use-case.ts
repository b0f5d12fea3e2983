import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { getFolderLimit } from '../../platform/acting-account.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { applyMergePatch } from '../../shared/merge-patch.ts';
import { type Metadata, mergeMetadata } from '../../shared/metadata.schemas.ts';
import { pickChanges } from '../../shared/pick-changes.ts';
import { listPictures } from '../files/index.ts';
import { keepLostReportForUndo } from './change-status.use-case.ts';
import { checkQrCodeDesign, getQrCodePayload } from './draw-qrcode.ts';
import { decryptQrCodeData, QR_CODE_DATA, type QrCodeData } from './encrypted-content.ts';
import { assertFolderExists, getFolderId } from './folders/folder-of-code.ts';
import { removeQrCodeImage, writeWithImageNames } from './image-files.ts';
import { assertImmutableQrCodeFieldsUnchanged } from './immutable-fields.rules.ts';
import type { QrCodeKindDefinition, QrCodeRuleContext } from './kinds/kind-definition.ts';
import { findPageDesignPictureErrors, PAGE_DESIGN_FEATURE, toPageDesign } from './page-design.rules.ts';
import { publishQrCodeUpdates } from './publish-change.ts';
import {
  lockQrCodesForUpdate,
  type QrCodeRow,
  type QrCodeRowChange,
  type QrCodeWithScanCounts,
  updateQrCode,
} from './qrcode.repository.ts';
import { getCurrentQrCodeStatus, getQrCodeDesign, getQrCodeKindByName, toQrCodeView } from './qrcode.view.ts';
import {
  findExpiryDateErrors,
  findKindSpecificErrors,
  findQrCodeInputErrors,
  findTitleErrors,
  mergeFieldVisibilities,
  mergePageDesign,
  mergeQrCodeDesign,
  normalizeQrCodeTitle,
  parseQrCodeMode,
  type QrCodeInput,
  toQrCodeDesignInput,
} from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { QrCode, QrCodeChange } from './qrcodes.schemas.ts';
import { assertQrCodeExternalIdFree, recordMedicalAccess } from './read-own-qrcode.ts';
import { recordQrCodeUpdates } from './record-qrcode-updates.ts';
import type { OwnAddresses } from './scan-url.rules.ts';
import { parseFieldVisibilities, resolveFieldVisibilities } from './visibility.rules.ts';

type QrCodeChanges = Static<typeof QrCodeChange>;

/** Complete `data` of a merge patch by the stored content; other members are merged anyway. */
export function completePatchedData<Body extends QrCodeChanges>(
  { fieldCipher }: Pick<QrCodeServices, 'fieldCipher'>,
  row: QrCodeRow,
  body: Body,
): Body {
  if (body.data === undefined) return body;
  const data = applyMergePatch(decryptQrCodeData(fieldCipher, row), body.data) as QrCodeData;
  return { ...body, data };
}

/**
 * Omitted fields stay, null clears, `data` is replaced as a whole. A changed design or logo gives the image another name. Without a difference
 * nothing is stored.
 * @throws as `prepareQrCodeUpdate`, PRECONDITION_FAILED, CONFLICT
 */
export async function updateOwnQrCode(
  services: QrCodeServices,
  context: RequestContext,
  row: QrCodeWithScanCounts,
  body: QrCodeChanges,
  ifMatch: string | undefined,
): Promise<QrCodeWithScanCounts> {
  assertIfMatch(ifMatch, row.version);
  const update = await prepareQrCodeUpdate(services, row, body, getFolderLimit(context));
  if (!update) return row;
  const [after] = await storeQrCodeUpdates(services, context, [update], ifMatch);
  return after ?? row;
}

export interface QrCodeUpdate {
  row: QrCodeWithScanCounts;
  changes: QrCodeRowChange;
  /** Those of the request that differ, for the audit trail. */
  fields: string[];
}

/**
 * Check an update; null without a difference, so that version and time stay and copies need not read the code again.
 * @throws PLAN_LIMIT_REACHED beyond the quota, except for status and contact settings
 * @throws PLAN_LIMIT_REACHED for a page design that the package does not include
 * @throws TAG_UNCLAIMED, IMMUTABLE_FIELD, VALIDATION_FAILED, IMAGE_NOT_SCANNABLE, EXTERNAL_ID_TAKEN
 */
export async function prepareQrCodeUpdate(
  services: QrCodeServices,
  row: QrCodeWithScanCounts,
  body: QrCodeChanges,
  limitedTo: readonly string[] | null,
): Promise<QrCodeUpdate | null> {
  if (row.status === 'UNCLAIMED') throw new ServiceError('TAG_UNCLAIMED');
  const kind = getQrCodeKindByName(row.kind);
  const before = toInput(row, decryptQrCodeData(services.fieldCipher, row));
  const input = mergeInput(kind, before, body);
  const { client } = services.database;
  const changesContent = hasContentChange(kind, before, input, body.pin);
  if (changesContent && (await services.isReadOnly(client, 'qrCodes', row)))
    await services.rejectReadOnlyChange(client, 'qrCodes', row.accountId);
  assertImmutableQrCodeFieldsUnchanged(kind, before, body, input);
  const problems = [
    ...findQrCodeInputErrors(toRuleContext(services, row), kind, input),
    ...findChangeErrors(row, body),
  ];
  if (problems.length > 0) throw createValidationError(...problems);
  const metadata =
    body.metadata === undefined ? undefined : mergeMetadata(row.metadata as Metadata, body.metadata);
  if (body.externalId !== row.externalId)
    await assertQrCodeExternalIdFree(client, { ...row, externalId: body.externalId });
  const folderId = body.folderId === getFolderId(row) ? undefined : body.folderId;
  if (folderId !== undefined) await assertFolderExists(client, row.accountId, folderId, limitedTo);
  // Only members of this change: a picture chosen before may have been deleted.
  const chosen = toPageDesign(mergePageDesign({}, body.pageDesign));
  if (chosen.coverPictureId !== undefined || chosen.logoPictureId !== undefined) {
    const pictureErrors = findPageDesignPictureErrors(
      chosen,
      await listPictures(client, row.accountId, { qrCodeId: row.id }),
    );
    if (pictureErrors.length > 0) throw createValidationError(...pictureErrors);
  }

  if (Object.keys(input.pageDesign).length > 0 && !isDeepStrictEqual(input.pageDesign, before.pageDesign))
    await services.assertFeature(client, PAGE_DESIGN_FEATURE, row.accountId);
  const pinHash = body.pin ? await services.pins.hash(body.pin) : body.pin;
  const checked = !isDeepStrictEqual(input.design, before.design)
    ? await checkQrCodeDesign(
        row.accountId,
        getQrCodePayload(services, row.id, kind, input),
        toQrCodeDesignInput(input.design),
      )
    : {};
  const status = body.status === getCurrentQrCodeStatus(row) ? undefined : body.status;
  const changes: QrCodeRowChange = pickChanges<QrCodeRowChange>(row, {
    title: body.title === undefined ? undefined : input.title,
    visibility: body.visibility === undefined ? undefined : parseFieldVisibilities(input.visibility),
    pinHash,
    expiresAt: body.expiresAt === undefined ? undefined : input.expiresAt,
    contactable: body.contactable,
    pageDesign: body.pageDesign === undefined ? undefined : toPageDesign(input.pageDesign),
    externalId: body.externalId,
    metadata,
    folderId,
    showsPage: body.showsPage,
    notifyOn: body.notifyOn,
    status,
    ...checked,
  });
  if (status && row.status === 'LOST')
    Object.assign(changes, keepLostReportForUndo(row, services.fieldCipher));
  if (!isDeepStrictEqual(input.data, before.data))
    changes.data = QR_CODE_DATA.encrypt(services.fieldCipher, row, input.data);
  if (Object.keys(changes).length === 0) return null;
  const fields = Object.keys(body).filter((field) =>
    FIELD_COLUMNS[field]?.some((column) => column in changes),
  );
  return { row, changes, fields };
}

/** The columns that each field of a request can change. */
const FIELD_COLUMNS: Readonly<Record<string, readonly (keyof QrCodeRowChange)[]>> = {
  title: ['title'],
  data: ['data'],
  visibility: ['visibility'],
  pin: ['pinHash'],
  design: ['design', 'logo', 'adjusted'],
  pageDesign: ['pageDesign'],
  expiresAt: ['expiresAt'],
  contactable: ['contactable'],
  showsPage: ['showsPage'],
  notifyOn: ['notifyOn'],
  externalId: ['externalId'],
  metadata: ['metadata'],
  folderId: ['folderId'],
  status: ['status'],
};

/**
 * Store updates of different codes with their audit entries and events, in one transaction.
 * @returns the rows in the order of the updates
 * @throws CONFLICT, or PRECONDITION_FAILED with `ifMatch`, if a code was changed or deleted meanwhile
 */
export async function storeQrCodeUpdates(
  services: QrCodeServices,
  context: RequestContext,
  updates: readonly QrCodeUpdate[],
  ifMatch?: string,
): Promise<QrCodeWithScanCounts[]> {
  const isRedesigned = ({ changes }: QrCodeUpdate) =>
    changes.design !== undefined || changes.logo !== undefined;
  const stored = await writeWithImageNames((createName) =>
    services.database.transaction(async (tx) => {
      const ids = updates.map(({ row }) => row.id);
      const [first] = updates;
      if (first && ids.length > 1) await lockQrCodesForUpdate(tx, first.row.accountId, ids);
      const storedUpdates: { after: QrCodeWithScanCounts; statusBefore: string }[] = [];
      for (const update of updates) {
        const { row, changes } = update;
        const kind = getQrCodeKindByName(row.kind);
        const imageFile = isRedesigned(update) ? { imageFile: createName({ ...row, kind }) } : {};
        const after = await updateQrCode(tx, row, { ...changes, ...imageFile });
        if (!after) throw createConflictError(ifMatch);
        storedUpdates.push({ after, statusBefore: row.status });
      }
      await recordQrCodeUpdates(tx, context, updates);
      await publishQrCodeUpdates(services.events, tx, storedUpdates);
      return storedUpdates;
    }),
  );
  for (const { row } of updates.filter(isRedesigned))
    await removeQrCodeImage(services.publicFiles, row.imageFile);
  return stored.map(({ after }) => after);
}

/** Update a code and show it. Without a difference, the response is audited as a reading. @throws as `updateOwnQrCode` */
export async function updateAndReadOwnQrCode(
  services: QrCodeServices,
  context: RequestContext,
  before: QrCodeWithScanCounts,
  body: QrCodeChanges,
  ifMatch: string | undefined,
): Promise<Static<typeof QrCode>> {
  const row = await updateOwnQrCode(services, context, before, body, ifMatch);
  if (row.version === before.version)
    await services.database.transaction((tx) => recordMedicalAccess(tx, context, row));
  return toQrCodeView(services, row, await services.isReadOnly(services.database.client, 'qrCodes', row));
}

function toInput(row: QrCodeRow, data: QrCodeData): QrCodeInput {
  return {
    mode: parseQrCodeMode(row.mode),
    title: row.title,
    data,
    visibility: parseFieldVisibilities(row.visibility),
    design: { ...getQrCodeDesign(row) },
    pageDesign: { ...toPageDesign(row.pageDesign) },
    hasPin: row.pinHash !== null,
    expiresAt: row.expiresAt,
  };
}

function mergeInput(kind: QrCodeKindDefinition, before: QrCodeInput, body: QrCodeChanges): QrCodeInput {
  return {
    mode: before.mode,
    title: body.title === undefined ? before.title : normalizeQrCodeTitle(body.title),
    data: body.data ?? before.data,
    visibility: mergeFieldVisibilities(kind, before.visibility, body.visibility),
    design: mergeQrCodeDesign(before.design, body.design),
    pageDesign: mergePageDesign(before.pageDesign, body.pageDesign),
    hasPin: body.pin === undefined ? before.hasPin : body.pin !== null,
    expiresAt: mergeExpiry(before.expiresAt, body.expiresAt),
  };
}

function mergeExpiry(before: Date | null, input: string | null | undefined): Date | null {
  if (input === undefined) return before;
  return input === null ? null : new Date(input);
}

function hasContentChange(
  kind: QrCodeKindDefinition,
  before: QrCodeInput,
  after: QrCodeInput,
  pin: string | null | undefined,
): boolean {
  if (pin !== undefined && (pin !== null || before.hasPin)) return true;
  // Clients send the visibility of all fields, as they read it.
  const resolveInputVisibility = (input: QrCodeInput) => ({
    ...input,
    visibility: resolveFieldVisibilities(kind, parseFieldVisibilities(input.visibility), before.hasPin),
  });
  return !isDeepStrictEqual(resolveInputVisibility(after), resolveInputVisibility(before));
}

/** Find the errors of the fields that are there, without what the rest of the code decides. */
export function findQrCodeChangeErrors(
  addresses: OwnAddresses,
  row: QrCodeRow,
  body: QrCodeChanges,
): FieldError[] {
  return [
    ...findTitleErrors(normalizeQrCodeTitle(body.title ?? '')),
    ...findKindSpecificErrors(toRuleContext(addresses, row), getQrCodeKindByName(row.kind), body),
    ...findChangeErrors(row, body),
  ];
}

function toRuleContext({ publicBaseUrl, frontendUrl }: OwnAddresses, row: QrCodeRow): QrCodeRuleContext {
  return { publicBaseUrl, frontendUrl, codeId: row.id };
}

function findChangeErrors(row: QrCodeRow, { status, expiresAt }: QrCodeChanges): FieldError[] {
  const problems: FieldError[] = [];
  if (status && status !== getCurrentQrCodeStatus(row) && status !== 'ACTIVE' && status !== 'PAUSED')
    problems.push({ field: 'status', code: 'NOT_ALLOWED', message: 'Must be ACTIVE or PAUSED.' });
  const expiry = expiresAt ? new Date(expiresAt) : null;
  if (expiry?.getTime() !== row.expiresAt?.getTime()) problems.push(...findExpiryDateErrors(expiry));
  return problems;
}

/** 412 for a request with If-Match, else 409. */
function createConflictError(ifMatch: string | undefined): ServiceError {
  if (ifMatch !== undefined) return new ServiceError('PRECONDITION_FAILED');
  return new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
}
