import type { LabelSheet, PlacedLabel } from './label-document.ts';
import type { LABEL_ADVICE, PrintSheetFailure } from './print-sheets.schemas.ts';

type Advice = (typeof LABEL_ADVICE)[number];

/** Stored as JSON; the message is made from the advice when it is shown. */
export type StoredLabelFailure = Omit<PrintSheetFailure, 'message'>;

const ADVICE_TEXTS = {
  LARGER_LABEL: 'a larger label',
  LIGHTER_BACKGROUND: 'a lighter background',
  SMALLER_OFFSET: 'a smaller offset',
} as const satisfies Record<Advice, string>;

/** Describe a label that could not be decoded, and what to change. */
export function toLabelFailure(label: PlacedLabel, sheet: LabelSheet): StoredLabelFailure {
  return {
    qrCodeId: label.id,
    page: label.page + 1,
    label: label.cell + 1,
    advice: listAdvice(label, sheet),
  };
}

export function describeLabelFailure({ page, label, advice }: StoredLabelFailure): string {
  const changes = advice.map((name) => ADVICE_TEXTS[name]).join(' or ');
  return `The code could not be decoded from its label (page ${page}, label ${label}) at 300 dpi. Choose ${changes}.`;
}

function listAdvice({ area }: PlacedLabel, { grid, background }: LabelSheet): Advice[] {
  const isOnPage =
    area.x >= 0 &&
    area.y >= 0 &&
    area.x + area.width <= grid.page.width &&
    area.y + area.height <= grid.page.height;
  if (!isOnPage) return ['SMALLER_OFFSET'];
  return background === null ? ['LARGER_LABEL'] : ['LARGER_LABEL', 'LIGHTER_BACKGROUND'];
}
