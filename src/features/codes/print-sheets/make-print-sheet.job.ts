import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/job-worker.ts';
import type { WorkerThread } from '../../../platform/worker-thread.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { createLabelDrawing, type LabelDrawingResult, type LabelDrawingTask } from './label-drawing.ts';
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

/** Codes that are read and drawn between two updates of the progress. */
const BATCH_SIZE = 100;

/** 5,000 labels have about a third. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

type Services = Pick<QrCodeServices, 'database' | 'files' | 'fieldCipher' | 'publicBaseUrl'>;
type Drawing = WorkerThread<LabelDrawingTask, LabelDrawingResult>;

/**
 * Create the job that draws a print sheet into a private file. An attempt that fails before the row is READY can be
 * repeated: it removes its file, and the next one removes what a killed one left.
 */
export function createMakePrintSheetJob(services: Services, createDrawing = createLabelDrawing): JobHandler {
  const { database, files } = services;
  return async ({ accountId, printSheetId }) => {
    const key = { accountId: String(accountId), id: String(printSheetId) };
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
      if (row.attempts < MAX_ATTEMPTS) throw error;
      await database.transaction((tx) => failPrintSheet(services, tx, row));
    }
  };
}

/** Fail a print sheet, remove its file and record it, if it waits. */
export async function failPrintSheet(
  { files }: Pick<QrCodeServices, 'files'>,
  tx: Tx,
  key: PrintSheetKey,
): Promise<void> {
  const failed = await markPrintSheetFailed(tx, key, getExpiryDate());
  if (!failed) return;
  if (failed.fileId) await files.remove(tx, [failed.fileId]);
  await insertAuditEntry(tx, {
    ...createAuditOrigin({ ...key, requestId: failed.requestId }),
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
  createDrawing: () => Drawing,
): Promise<void> {
  const { database, files } = services;
  const drawn: DrawnSheet = { labels: 0, pages: 0, leftOut: [] };
  const drawing = createDrawing();
  const content = drawSheet(services, row, drawing, drawn);
  const file = await files
    .store(row.accountId, content, {
      maxBytes: MAX_FILE_BYTES,
      async reference(tx, fileId) {
        if (!(await updatePrintSheetAttempt(tx, row, { fileId }))) throw createSupersededError();
      },
    })
    .finally(() => drawing.close());
  let isReady = false;
  try {
    isReady = await database.transaction(async (tx) => {
      const ready = { ...drawn, size: file.size, expiresAt: getExpiryDate() };
      if (!(await markPrintSheetReady(tx, { ...row, fileId: file.id }, ready))) return false;
      await files.commit(tx, file);
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
  drawing: Drawing,
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

function createSupersededError(): Error {
  return new Error('Another attempt has begun since, or the print sheet is deleted.');
}

function getExpiryDate(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.printSheet * 1000);
}
