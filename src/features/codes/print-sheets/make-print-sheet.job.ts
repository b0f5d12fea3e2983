import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import { runForAccount } from '../../../platform/bound-database.ts';
import type { Tx } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/job-worker.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { markPrintedCodes } from '../batches/batch-tag.repository.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { createLabelDrawing, type LabelDrawing } from './label-drawing.ts';
import { type StoredLabelFailure, toLabelFailure } from './label-failure.rules.ts';
import { countLabelPages } from './label-sheet.rules.ts';
import {
  type ClaimedPrintSheet,
  claimPrintSheet,
  isCurrentPrintSheetAttempt,
  markPrintSheetFailed,
  markPrintSheetReady,
  type PrintSheetKey,
  updatePrintSheetAttempt,
} from './print-sheet.repository.ts';
import type { PrintSheetOptions } from './print-sheet-options.ts';
import { createAuditOrigin } from './print-sheet-queue.ts';
import type { LeftOut } from './print-sheets.schemas.ts';
import { readLabels } from './read-labels.ts';

/** Attempts after which a print sheet fails; fewer than its job has. */
const MAX_ATTEMPTS = 4;

/** Codes that are drawn, and labels that are decoded, between two updates of the progress. */
const BATCH_SIZE = 100;

/** 5,000 labels have about a third. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

type Services = Pick<QrCodeServices, 'database' | 'files' | 'fieldCipher' | 'publicBaseUrl'>;

/** Another attempt would draw the same. */
class UnreadableLabelError extends Error {
  readonly failure: StoredLabelFailure;

  constructor(failure: StoredLabelFailure) {
    super('A label could not be decoded.');
    this.failure = failure;
  }
}

/**
 * Create the job that draws a print sheet into a private file, which is given away once each label has been decoded
 * from it. An attempt that fails before the row is READY can be
 * repeated: it removes its file, and the next one removes what a killed one left.
 */
export function createMakePrintSheetJob(shared: Services, createDrawing = createLabelDrawing): JobHandler {
  return async ({ accountId, printSheetId }) => {
    const key = { accountId: String(accountId), id: String(printSheetId) };
    const services = { ...shared, database: shared.database.forAccount(key.accountId) };
    const { database, files } = services;
    const row = await database.transaction(async (tx) => {
      const claimed = await claimPrintSheet(tx, key);
      if (claimed?.fileId) await files.remove(tx, [claimed.fileId]);
      return claimed;
    });
    if (!row) return;
    try {
      if (row.account.status === 'ACTIVE') await makeFile(services, row, createDrawing);
      else await database.transaction((tx) => failPrintSheet(services, tx, row));
    } catch (error) {
      // It was deleted, or another attempt has begun since, or the commit succeeded and its response was lost.
      if (!(await isCurrentPrintSheetAttempt(database.client, row))) return;
      const failure = error instanceof UnreadableLabelError ? error.failure : null;
      if (!failure && row.attempts < MAX_ATTEMPTS) throw error;
      await database.transaction((tx) => failPrintSheet(services, tx, row, failure));
    }
  };
}

/** Fail a print sheet, remove its file and record it, if it waits. */
export async function failPrintSheet(
  { files }: Pick<QrCodeServices, 'files'>,
  tx: Tx,
  key: PrintSheetKey,
  failure: StoredLabelFailure | null = null,
): Promise<void> {
  const failed = await markPrintSheetFailed(tx, key, { expiresAt: getExpiryDate(), failure });
  if (!failed) return;
  if (failed.fileId) await files.remove(tx, [failed.fileId]);
  await insertAuditEntry(tx, {
    ...createAuditOrigin({ ...key, ...failed }),
    action: 'PRINT_SHEET_FAILED',
    outcome: 'FAILURE',
  });
}

interface DrawnSheet {
  labels: number;
  pages: number;
  leftOut: LeftOut[];
}

async function makeFile(
  services: Services,
  row: ClaimedPrintSheet,
  createDrawing: () => LabelDrawing,
): Promise<void> {
  const drawing = createDrawing();
  try {
    await drawFile(services, row, drawing);
  } finally {
    await drawing.close();
  }
}

async function drawFile(services: Services, row: ClaimedPrintSheet, drawing: LabelDrawing): Promise<void> {
  const { database, files } = services;
  const drawn: DrawnSheet = { labels: 0, pages: 0, leftOut: [] };
  const file = await files.store(row.accountId, drawSheet(services, row, drawing, drawn), {
    maxBytes: MAX_FILE_BYTES,
    async reference(tx, fileId) {
      const isUpdated = await runForAccount(tx, row.accountId, () =>
        updatePrintSheetAttempt(tx, row, { fileId }),
      );
      if (!isUpdated) throw createSupersededError();
    },
  });
  let isReady = false;
  try {
    await decodeLabels(services, row, drawing, drawn.labels);
    isReady = await database.transaction(async (tx) => {
      const ready = { ...drawn, decoded: drawn.labels, size: file.size, expiresAt: getExpiryDate() };
      if (!(await markPrintSheetReady(tx, { ...row, fileId: file.id }, ready))) return false;
      await files.commit(tx, file);
      const leftOut = new Set(drawn.leftOut.map(({ id }) => id));
      const printed = row.codeIds.filter((id) => !leftOut.has(id));
      await markPrintedCodes(tx, row.accountId, printed);
      await insertAuditEntry(tx, {
        ...createAuditOrigin(row),
        action: 'PRINT_SHEET_CREATED',
        outcome: 'SUCCESS',
      });
      return true;
    });
  } finally {
    // A file that the row refers to stays.
    if (!isReady) await files.discardPending(file);
  }
}

/** Draw batch by batch, so that memory does not grow with the sheet. */
async function* drawSheet(
  services: Services,
  row: ClaimedPrintSheet,
  drawing: LabelDrawing,
  drawn: DrawnSheet,
): AsyncGenerator<Uint8Array> {
  const { sheet, ...texts } = row.options as unknown as PrintSheetOptions;
  yield (await drawing.run({ step: 'BEGIN', sheet })).bytes;
  for (let first = 0; first < row.codeIds.length; first += BATCH_SIZE) {
    const ids = row.codeIds.slice(first, first + BATCH_SIZE);
    const { labels, leftOut } = await readLabels(services, row, ids, { ...texts, language: sheet.language });
    const { bytes, tooSmall, pages } = await drawing.run({ step: 'ADD', labels });
    drawn.labels += labels.length - tooSmall.length;
    drawn.pages = pages;
    drawn.leftOut.push(...leftOut, ...tooSmall.map((id): LeftOut => ({ id, category: 'LABEL_TOO_SMALL' })));
    const progress = { processed: first + ids.length, labels: drawn.labels, pages };
    if (!(await updatePrintSheetAttempt(services.database.client, row, progress)))
      throw createSupersededError();
    yield bytes;
  }
  const end = await drawing.run({ step: 'END' });
  drawn.pages = Math.max(end.pages, countLabelPages(sheet.grid, drawn.labels, sheet.startCell));
  yield end.bytes;
}

/** Decode each label from the drawn pages. @throws UnreadableLabelError */
async function decodeLabels(
  { database }: Services,
  row: ClaimedPrintSheet,
  drawing: LabelDrawing,
  labels: number,
): Promise<void> {
  const { sheet } = row.options as unknown as PrintSheetOptions;
  for (let first = 0; first < labels; first += BATCH_SIZE) {
    const { unreadable } = await drawing.run({ step: 'DECODE', first, count: BATCH_SIZE });
    if (unreadable) throw new UnreadableLabelError(toLabelFailure(unreadable, sheet));
    const decoded = Math.min(first + BATCH_SIZE, labels);
    if (!(await updatePrintSheetAttempt(database.client, row, { decoded }))) throw createSupersededError();
  }
}

function createSupersededError(): Error {
  return new Error('Another attempt has begun since, or the print sheet is deleted.');
}

function getExpiryDate(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.printSheet * 1000);
}
