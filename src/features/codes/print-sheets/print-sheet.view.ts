import { describeLabelFailure, type StoredLabelFailure } from './label-failure.rules.ts';
import { LABEL_TEMPLATES, type LabelTemplate } from './label-templates.ts';
import type { PrintSheetRecord } from './print-sheet.repository.ts';
import {
  type LeftOut,
  PRINT_SHEET_STATUSES,
  type PrintSheetFailure,
  type PrintSheetView,
} from './print-sheets.schemas.ts';

export function getPrintSheetPath(id: string): string {
  return `/api/print-sheets/${id}`;
}

export function toPrintSheetView(publicBaseUrl: string, row: PrintSheetRecord): PrintSheetView {
  return {
    id: row.id,
    template: row.template,
    status: PRINT_SHEET_STATUSES.find((status) => status === row.status) ?? 'FAILED',
    codes: row.codes,
    processed: row.processed,
    labels: row.labels,
    pages: row.pages,
    decoded: row.decoded,
    leftOutCount: getLeftOut(row).length,
    size: row.size === null ? null : Number(row.size),
    failure: getFailureView(row),
    contentUrl: row.status === 'READY' ? `${publicBaseUrl}${getPrintSheetPath(row.id)}/content` : null,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

export function getLeftOut({ leftOut }: Pick<PrintSheetRecord, 'leftOut'>): LeftOut[] {
  return leftOut as unknown as LeftOut[];
}

/** Get the label for which a print sheet failed, and what to change. */
export function getLabelFailure({ failure }: Pick<PrintSheetRecord, 'failure'>): StoredLabelFailure | null {
  return failure as unknown as StoredLabelFailure | null;
}

function getFailureView(row: Pick<PrintSheetRecord, 'failure'>): PrintSheetFailure | null {
  const failure = getLabelFailure(row);
  return failure && { ...failure, message: describeLabelFailure(failure) };
}

export function toLabelTemplateView(template: LabelTemplate) {
  const { equivalents, ...rest } = template;
  return { ...rest, equivalents: [...equivalents], labelsPerPage: template.columns * template.rows };
}

export function findLabelTemplate(id: string | undefined): LabelTemplate | undefined {
  return LABEL_TEMPLATES.find((template) => template.id === id);
}

/** The name that a browser saves the file under. */
export function getPrintSheetFileName({ createdAt }: Pick<PrintSheetRecord, 'createdAt'>): string {
  return `qr-codes-${createdAt.toISOString().slice(0, 10)}.pdf`;
}
