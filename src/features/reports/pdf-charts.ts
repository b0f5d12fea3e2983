import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { GRID, INK, type Sheet, SOFT } from './pdf-sheet.ts';
import type { Chart } from './report-content.rules.ts';
import { numbersOf } from './report-formatter.ts';

const ALL = '#7b8694';
const PEOPLE = '#0b4fb3';
const UNIQUE = '#9a3412';

/** A place on a sheet in points. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Draws a line of stretches of time. */
export function drawLine(sheet: Sheet, { tag }: Locale, { heading, summary, rows }: Chart, box: Box): void {
  const { document } = sheet;
  const [left, bottom] = [box.x + 34, box.y + box.height - 14];
  const [width, height] = [box.width - 34, box.height - 20];
  const top = niceTop(Math.max(1, ...rows.map(({ total }) => total)));
  const x = (index: number) => left + (rows.length > 1 ? (index / (rows.length - 1)) * width : width / 2);
  const y = (value: number) => bottom - (value / top) * height;
  sheet.figure(`${heading}. ${summary}`, () => {
    for (const value of [0, top / 2, top]) {
      document
        .moveTo(left, y(value))
        .lineTo(left + width, y(value))
        .lineWidth(0.5)
        .stroke(GRID);
      const place = { x: box.x, y: y(value) - 4, width: 28, size: 8, color: SOFT, align: 'right' } as const;
      if (Number.isInteger(value)) sheet.write(value.toLocaleString(tag), place);
    }
    const named =
      rows.length > 2 ? [0, Math.floor((rows.length - 1) / 2), rows.length - 1] : [...rows.keys()];
    for (const [place, index] of named.entries()) {
      const align = place === 0 ? 'left' : place === named.length - 1 ? 'right' : 'center';
      const from = { left: left, center: x(index) - 60, right: left + width - 120 }[align];
      sheet.write(rows[index]?.tick ?? '', {
        x: from,
        y: bottom + 4,
        width: 120,
        size: 8,
        color: SOFT,
        align,
      });
    }
    const line = (key: 'total' | 'humans' | 'unique', color: string, thick: number, dash = false) => {
      for (const [index, row] of rows.entries())
        if (index === 0) document.moveTo(x(index), y(row[key]));
        else document.lineTo(x(index), y(row[key]));
      if (dash) document.dash(3, { space: 3 });
      document.lineWidth(thick).lineJoin('round').stroke(color).undash();
      if (rows.length === 1) document.circle(x(0), y(rows[0]?.[key] ?? 0), 3).fill(color);
    };
    if (rows.length > 0) {
      line('total', ALL, 1.25);
      line('humans', PEOPLE, 1.75);
      line('unique', UNIQUE, 1.25, true);
    }
  });
}

/** What the colours of the line mean, in one row. */
export function drawKey(sheet: Sheet, locale: Locale, { x, y }: Pick<Box, 'x' | 'y'>): void {
  const { document } = sheet;
  const key = [
    [t(locale, 'report.scans'), ALL],
    [t(locale, 'report.people'), PEOPLE],
    [t(locale, 'report.unique'), UNIQUE],
  ] as const;
  sheet.figure(t(locale, 'report.lineColors'), () => {
    for (const [index, [name, color]] of key.entries()) {
      const left = x + index * 90;
      if (color === UNIQUE) document.dash(3, { space: 3 });
      document
        .moveTo(left, y + 4)
        .lineTo(left + 18, y + 4)
        .lineWidth(1.75)
        .stroke(color)
        .undash();
      sheet.write(name, { x: left + 23, y, width: 60, size: 8, color: SOFT });
    }
  });
}

/** Draws a row of bars, people before the rest; the text says all of them. */
export function drawBars(sheet: Sheet, locale: Locale, { heading, rows }: Chart, box: Box): void {
  const { document } = sheet;
  const most = Math.max(1, ...rows.map(({ total }) => total));
  const [labels, values] = [92, 84];
  const room = box.width - labels - values;
  const all = rows
    .map(({ name, total, humans, unique }) =>
      t(locale, 'report.barSummary', { name, scans: `${total}`, people: `${humans}`, unique: `${unique}` }),
    )
    .join('; ');
  sheet.figure(`${heading}. ${all}.`, () => {
    for (const [index, row] of rows.entries()) {
      const { name, total, humans } = row;
      const y = box.y + index * (box.height / 8);
      const people = (humans / most) * room;
      const length = (total / most) * room;
      sheet.write(name, { x: box.x, y: y + 1, width: labels - 6, size: 8, color: INK });
      document.rect(box.x + labels, y, people, 8).fill(PEOPLE);
      document.rect(box.x + labels + people, y, length - people, 8).fill(ALL);
      const number = { x: box.x + labels + length + 4, y: y + 1, width: values, size: 8 };
      sheet.write(numbersOf(row, locale.tag), number);
    }
  });
}

/** The least even number of one or two figures, and zeros, that is not below: its half is whole. */
function niceTop(most: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(most)) - 1);
  return Math.ceil(most / (2 * step)) * 2 * step;
}
