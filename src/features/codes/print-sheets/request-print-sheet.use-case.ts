import { getActingAccount } from '../../../platform/acting-account.ts';
import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntries, recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/authentication.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { parseQrCodeListFilter } from '../list-filters.ts';
import { lockAccount } from '../lock-account.repository.ts';
import { listQrCodeIds, QR_CODE_LIST_SORTS } from '../qrcode-list.repository.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { countPrintSheets, findPrintedQrCodes, insertPrintSheet } from './print-sheet.repository.ts';
import { getPrintSheetPath, toPrintSheetView } from './print-sheet.view.ts';
import { parsePrintSheetOptions } from './print-sheet-options.ts';
import { PRINT_SHEET_QUEUE } from './print-sheet-queue.ts';
import {
  MAX_PRINT_SHEET_CODES,
  type NewPrintSheetBody,
  type PrintSheetView,
} from './print-sheets.schemas.ts';

const MAX_WAITING_PRINT_SHEETS = 3;

/** Their files take disk until they expire. */
const MAX_STORED_PRINT_SHEETS = 20;

const MAX_LABELS_PER_DAY = 50_000;

/**
 * Store a print sheet and enqueue its job. Wake the queue afterwards.
 * @throws VALIDATION_FAILED, TOO_MANY_PRINT_SHEETS, RATE_LIMITED
 */
export async function requestPrintSheet(
  services: QrCodeServices,
  context: RequestContext,
  user: CurrentUser,
  body: NewPrintSheetBody,
): Promise<IdempotentResult<PrintSheetView>> {
  const { id: accountId } = getActingAccount(user);
  const once = { who: accountId, fingerprint: body };
  const replay = await services.createIdempotently.replay<PrintSheetView>(context, once);
  if (replay) return replay;
  const options = parsePrintSheetOptions(services, body, user.language);
  const codeIds = await findPrintSheetCodes(services, user, body);
  return services.createIdempotently(context, once, async (tx) => {
    await lockAccount(tx, accountId);
    const { waiting, stored } = await countPrintSheets(tx, accountId);
    if (waiting >= MAX_WAITING_PRINT_SHEETS || stored >= MAX_STORED_PRINT_SHEETS)
      throw new ServiceError('TOO_MANY_PRINT_SHEETS');
    const key = `print-sheet:${services.fieldCipher.hash('print-sheet', accountId).toString('hex')}`;
    const limit = { key, allowed: MAX_LABELS_PER_DAY, windowSeconds: DAY_SECONDS, count: codeIds.length };
    await consumeAttempts(tx, [limit]);
    const id = generateId();
    const row = await insertPrintSheet(tx, {
      accountId,
      id,
      template: body.template ?? null,
      options,
      codeIds,
      codes: codeIds.length,
      requestId: context.requestId,
      createdBy: user.id,
    });
    await services.jobs.enqueue(tx, PRINT_SHEET_QUEUE, { accountId, printSheetId: id });
    await recordAuditEntry(tx, context, { action: 'PRINT_SHEET_REQUESTED', resourceId: accountId });
    // The labels show their titles.
    if (user.isEnterprise) {
      const codes = await findPrintedQrCodes(tx, accountId, codeIds);
      const medical = codes.filter(({ kind }) => kind === 'MEDICAL').map((code) => code.id);
      await recordAuditEntries(tx, context, medical, { action: 'MEDICAL_DATA_LISTED' });
    }
    return { body: toPrintSheetView(services.publicBaseUrl, row), location: getPrintSheetPath(id) };
  });
}

/** Find the ids of the codes that a body means. @throws VALIDATION_FAILED for none, and for too many */
export async function findPrintSheetCodes(
  { database }: Pick<QrCodeServices, 'database'>,
  user: CurrentUser,
  { ids, filter = {} }: Pick<NewPrintSheetBody, 'ids' | 'filter'>,
): Promise<string[]> {
  if (ids) return [...new Set(ids)];
  const sort = QR_CODE_LIST_SORTS[filter.sort ?? '-createdAt'];
  const parsed = parseQrCodeListFilter(filter, user.timeZone);
  const found = await database.read(({ pool }) =>
    listQrCodeIds(pool, getActingAccount(user).id, parsed, sort, MAX_PRINT_SHEET_CODES + 1),
  );
  if (found.length === 0)
    throw createValidationError({
      field: 'filter',
      code: 'NO_CODES',
      message: 'Must match at least one code.',
    });
  if (found.length > MAX_PRINT_SHEET_CODES)
    throw createValidationError({
      field: 'filter',
      code: 'TOO_MANY',
      message: `Must match at most ${MAX_PRINT_SHEET_CODES.toLocaleString('en')} codes.`,
    });
  return found;
}
