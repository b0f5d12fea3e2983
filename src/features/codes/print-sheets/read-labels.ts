import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import {
  readOrReportIntegrityFailure,
  toIntegrityFailureAuditEntry,
} from '../../../platform/integrity-failure.ts';
import type { IntegrityFailure } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { Metadata } from '../../../shared/metadata.schemas.ts';
import { getQrCodeRowPayload } from '../draw-qrcode.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { formatShortNumber } from '../short-number.rules.ts';
import type { Label, LabelText } from './label-document.ts';
import { findPrintedQrCodes } from './print-sheet.repository.ts';
import type { PrintSheetOptions } from './print-sheet-options.ts';
import { createAuditOrigin, type PrintSheetOrigin } from './print-sheet-queue.ts';
import type { LeftOut } from './print-sheets.schemas.ts';

type TextOptions = Omit<PrintSheetOptions, 'sheet'> & { language: string };

/** Read what the labels of some codes show, in the order of the ids. STATIC medical content is audited. */
export async function readLabels(
  services: Pick<QrCodeServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  sheet: PrintSheetOrigin,
  ids: readonly string[],
  options: TextOptions,
): Promise<{ labels: Label[]; leftOut: LeftOut[] }> {
  const rows = new Map(
    (await findPrintedQrCodes(services.database.client, sheet.accountId, ids)).map((row) => [row.id, row]),
  );
  const labels: Label[] = [];
  const leftOut: LeftOut[] = [];
  const failures: IntegrityFailure[] = [];
  const readIds: string[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (!row || row.status === 'DELETED') {
      leftOut.push({ id, category: row ? 'DELETED' : 'NOT_FOUND' });
      continue;
    }
    const content = readOrReportIntegrityFailure(
      () => getQrCodeRowPayload(services, row),
      (failure) => failures.push(failure),
    );
    if (content === null) leftOut.push({ id, category: 'UNREADABLE' });
    else labels.push({ id, content, texts: createTexts(row, options) });
    if (row.mode === 'STATIC' && row.kind === 'MEDICAL') readIds.push(id);
  }
  if (failures.length + readIds.length > 0) {
    const origin = createAuditOrigin(sheet);
    await services.database.transaction(async (tx) => {
      for (const resourceId of readIds)
        await insertAuditEntry(tx, {
          ...origin,
          resourceId,
          action: 'MEDICAL_DATA_READ',
          outcome: 'SUCCESS',
        });
      for (const failure of failures)
        await insertAuditEntry(tx, { ...origin, ...toIntegrityFailureAuditEntry(failure) });
    });
  }
  return { labels, leftOut };
}

type PrintedQrCode = Awaited<ReturnType<typeof findPrintedQrCodes>>[number];

function createTexts(row: PrintedQrCode, { texts, metadataKey, language }: TextOptions): LabelText[] {
  return texts.flatMap((name): LabelText[] => {
    switch (name) {
      case 'TITLE':
        return [{ text: row.title, isTitle: true }];
      case 'SHORT_NUMBER':
        return row.shortNumber === null
          ? []
          : [{ text: addBreaks(formatShortNumber(row.shortNumber.number)) }];
      case 'EXTERNAL_ID':
        return row.externalId === null ? [] : [{ text: row.externalId }];
      case 'FOUND':
        return [{ text: t(toSupportedLocale(language), 'app.print.captions.found') }];
      case 'METADATA': {
        const value = (row.metadata as Metadata)[metadataKey ?? ''];
        return value === undefined ? [] : [{ text: value }];
      }
      default:
        return name satisfies never;
    }
  });
}

/** On a narrow label a number goes on in the next line with one of its groups, also where a digit follows the hyphen. */
function addBreaks(number: string): string {
  return number.replaceAll('-', '-\u200b');
}
