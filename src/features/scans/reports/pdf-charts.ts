import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ReportChart } from './report-content.rules.ts';
import { formatScanCounts } from './report-formatter.ts';
import { PDF_CHART_GRID_COLOR, PDF_MUTED_TEXT_COLOR, PDF_TEXT_COLOR, type PdfSheet } from './report-sheet.ts';

const ALL_SCANS_COLOR = '#7b8694';
const HUMANS_COLOR = '#0b4fb3';
const UNIQUE_COLOR = '#9a3412';

/** Points. */
interface ChartBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function drawPdfLineChart(
  sheet: PdfSheet,
  { tag }: Locale,
  { heading, summary, rows }: ReportChart,
  box: ChartBox,
): void {
  const { document } = sheet;
  const [left, bottom] = [box.x + 34, box.y + box.height - 14];
  const [width, height] = [box.width - 34, box.height - 20];
  const axisMax = roundUpAxisMax(Math.max(1, ...rows.map(({ total }) => total)));
  const x = (index: number) => left + (rows.length > 1 ? (index / (rows.length - 1)) * width : width / 2);
  const y = (value: number) => bottom - (value / axisMax) * height;
  sheet.figure(`${heading}. ${summary}`, () => {
    for (const value of [0, axisMax / 2, axisMax]) {
      document
        .moveTo(left, y(value))
        .lineTo(left + width, y(value))
        .lineWidth(0.5)
        .stroke(PDF_CHART_GRID_COLOR);
      const place = {
        x: box.x,
        y: y(value) - 4,
        width: 28,
        size: 8,
        color: PDF_MUTED_TEXT_COLOR,
        align: 'right',
      } as const;
      if (Number.isInteger(value)) sheet.write(value.toLocaleString(tag), place);
    }
    const labelIndexes =
      rows.length > 2 ? [0, Math.floor((rows.length - 1) / 2), rows.length - 1] : [...rows.keys()];
    for (const [place, index] of labelIndexes.entries()) {
      const align = place === 0 ? 'left' : place === labelIndexes.length - 1 ? 'right' : 'center';
      const from = { left: left, center: x(index) - 60, right: left + width - 120 }[align];
      sheet.write(rows[index]?.tick ?? '', {
        x: from,
        y: bottom + 4,
        width: 120,
        size: 8,
        color: PDF_MUTED_TEXT_COLOR,
        align,
      });
    }
    const line = (key: 'total' | 'humans' | 'unique', color: string, lineWidth: number, dash = false) => {
      for (const [index, row] of rows.entries())
        if (index === 0) document.moveTo(x(index), y(row[key]));
        else document.lineTo(x(index), y(row[key]));
      if (dash) document.dash(3, { space: 3 });
      document.lineWidth(lineWidth).lineJoin('round').stroke(color).undash();
      if (rows.length === 1) document.circle(x(0), y(rows[0]?.[key] ?? 0), 3).fill(color);
    };
    if (rows.length > 0) {
      line('total', ALL_SCANS_COLOR, 1.25);
      line('humans', HUMANS_COLOR, 1.75);
      line('unique', UNIQUE_COLOR, 1.25, true);
    }
  });
}

export function drawPdfChartLegend(
  sheet: PdfSheet,
  locale: Locale,
  { x, y }: Pick<ChartBox, 'x' | 'y'>,
): void {
  const { document } = sheet;
  const key = [
    [t(locale, 'report.scans'), ALL_SCANS_COLOR],
    [t(locale, 'report.people'), HUMANS_COLOR],
    [t(locale, 'report.unique'), UNIQUE_COLOR],
  ] as const;
  sheet.figure(t(locale, 'report.lineColors'), () => {
    for (const [index, [name, color]] of key.entries()) {
      const left = x + index * 90;
      if (color === UNIQUE_COLOR) document.dash(3, { space: 3 });
      document
        .moveTo(left, y + 4)
        .lineTo(left + 18, y + 4)
        .lineWidth(1.75)
        .stroke(color)
        .undash();
      sheet.write(name, { x: left + 23, y, width: 60, size: 8, color: PDF_MUTED_TEXT_COLOR });
    }
  });
}

export function drawPdfBarChart(
  sheet: PdfSheet,
  locale: Locale,
  { heading, rows }: ReportChart,
  box: ChartBox,
): void {
  const { document } = sheet;
  const max = Math.max(1, ...rows.map(({ total }) => total));
  const [labels, values] = [92, 84];
  const barWidth = box.width - labels - values;
  const all = rows
    .map(({ name, total, humans, unique }) =>
      t(locale, 'report.barSummary', { name, scans: `${total}`, humans: `${humans}`, unique: `${unique}` }),
    )
    .join('; ');
  sheet.figure(`${heading}. ${all}.`, () => {
    for (const [index, row] of rows.entries()) {
      const { name, total, humans } = row;
      const y = box.y + index * (box.height / 8);
      const humansWidth = (humans / max) * barWidth;
      const length = (total / max) * barWidth;
      sheet.write(name, { x: box.x, y: y + 1, width: labels - 6, size: 8, color: PDF_TEXT_COLOR });
      document.rect(box.x + labels, y, humansWidth, 8).fill(HUMANS_COLOR);
      document.rect(box.x + labels + humansWidth, y, length - humansWidth, 8).fill(ALL_SCANS_COLOR);
      const number = { x: box.x + labels + length + 4, y: y + 1, width: values, size: 8 };
      sheet.write(formatScanCounts(row, locale.tag), number);
    }
  });
}

/** Round up to an even number, so that its half is an integer. */
function roundUpAxisMax(max: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(max)) - 1);
  return Math.ceil(max / (2 * step)) * 2 * step;
}
