import { setImmediate as nextTurn } from 'node:timers/promises';
import { escapeHtml, type Html } from '../../shared/html.ts';
import type { ChartOption } from './chart-library.ts';
import type { Chart } from './report-content.rules.ts';
import { numbersOf } from './report-formatter.ts';

/** Colours are the page's variables, so that one picture serves light, dark and paper. */
const ALL = 'var(--all)';
const PEOPLE = 'var(--people)';
const UNIQUE = 'var(--unique)';
const TEXT = { color: 'var(--soft)', fontSize: 12 };
const STILL = { silent: true, emphasis: { disabled: true } } as const;
const BAR_HEIGHT = 26;

interface Size {
  width: number;
  height: number;
}

/** A line of stretches of time as an SVG of a width in pixels; others get a turn before it is drawn. */
export function drawLine(chart: Chart, id: string, width: number): Promise<Html> {
  const { rows } = chart;
  const line = (key: 'total' | 'humans' | 'unique', style: object) => ({
    ...{ type: 'line', data: rows.map((row) => row[key]), clip: false, ...STILL },
    ...{ showSymbol: rows.length === 1, symbolSize: 8, ...style },
  });
  return draw(
    chart,
    id,
    { width, height: 240 },
    {
      grid: { left: 44, right: 16, top: 12, bottom: 28 },
      xAxis: {
        type: 'category',
        data: rows.map(({ name, tick }) => tick ?? name),
        boundaryGap: rows.length === 1,
        axisLabel: { ...TEXT, ...some(rows.length, width), alignMinLabel: 'left', alignMaxLabel: 'right' },
        axisTick: { show: false },
        axisLine: { lineStyle: { color: 'var(--line)' } },
      },
      yAxis: {
        type: 'value',
        minInterval: 1,
        max: rows.every(({ total }) => total === 0) ? 1 : undefined,
        axisLabel: TEXT,
        splitLine: { lineStyle: { color: 'var(--grid)' } },
      },
      series: [
        line('total', { color: ALL, lineStyle: { width: 2, color: ALL } }),
        line('humans', { color: PEOPLE, lineStyle: { width: 3, color: PEOPLE } }),
        line('unique', { color: UNIQUE, lineStyle: { width: 2, color: UNIQUE, type: [4, 4] } }),
      ],
    },
  );
}

/** Which of so many stretches are named, from the first to the last: as many as a width in pixels has room for. */
function some(count: number, width: number) {
  const most = Math.min(count, Math.floor(width / 120));
  const named = new Set(
    Array.from({ length: most }, (_, place) => Math.round((place * (count - 1)) / Math.max(1, most - 1))),
  );
  return { interval: (index: number) => named.has(index) };
}

/** A row of bars, longest first, people before the rest, all that is counted behind them, as an SVG of a width in pixels; numbers are of a language. */
export function drawBars(chart: Chart, id: string, width: number, tag: string): Promise<Html> {
  const { rows } = chart;
  const bar = (color: string, data: unknown[], more: object = {}) => ({
    ...{ type: 'bar', stack: 'all', data, barWidth: 14, itemStyle: { color }, ...STILL, ...more },
  });
  const label = { show: true, position: 'right', color: 'var(--text)', fontSize: 12 };
  return draw(
    chart,
    id,
    { width, height: rows.length * BAR_HEIGHT + 8 },
    {
      grid: { left: 160, right: 124, top: 4, bottom: 4 },
      xAxis: { type: 'value', show: false },
      yAxis: {
        type: 'category',
        inverse: true,
        data: rows.map(({ name }) => name),
        axisLabel: { ...TEXT, color: 'var(--text)', width: 130, overflow: 'truncate', interval: 0 },
        axisTick: { show: false },
        axisLine: { lineStyle: { color: 'var(--line)' } },
      },
      series: [
        bar(
          PEOPLE,
          rows.map(({ humans }) => humans),
        ),
        bar(
          ALL,
          rows.map(({ total, humans }) => total - humans),
          {
            label: {
              ...label,
              formatter: ({ dataIndex }: { dataIndex: number }) =>
                rows[dataIndex] ? numbersOf(rows[dataIndex], tag) : '',
            },
          },
        ),
      ],
    },
  );
}

async function draw(chart: Chart, id: string, size: Size, option: ChartOption): Promise<Html> {
  // Loaded with the first report: a start has no use for it.
  const { init } = await import('./chart-library.ts');
  await nextTurn();
  const picture = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    picture.setOption({ animation: false, ...option });
    return framed(picture.renderToSVGString({ useViewBox: true }), chart, id, size);
  } finally {
    picture.dispose();
  }
}

/**
 * The picture with a name and a text of its own, in place of what the library frames it with. Styles of elements, which
 * the page's policy forbids, and marks for a script that is not there are taken out; text in them is escaped already.
 */
function framed(svg: string, { heading, summary }: Chart, id: string, { width, height }: Size): Html {
  const content = svg
    .replace(/^[\s\S]*?<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
    .replace(/ (?:style|ecmeta_\w+|class)="[^"]*"/g, '')
    .replace(/<style[\s\S]*?<\/style>/g, '');
  return {
    markup: `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-name ${id}-text"><title id="${id}-name">${escapeHtml(heading)}</title><desc id="${id}-text">${escapeHtml(summary)}</desc>${content}</svg>`,
  };
}
