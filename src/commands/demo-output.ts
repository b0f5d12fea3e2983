import { styleText } from 'node:util';
import { truncateWithEllipsis } from '../shared/truncate.ts';

/** Longer texts, such as tokens, hide what matters. */
const MAX_VALUE_CHARACTERS = 40;

/** Where the output is not a terminal. */
const DEFAULT_COLUMNS = 160;

/** Print a call and its response in a line each, cut to the width of the terminal. */
export function formatDemoCall(
  output: Pick<NodeJS.WriteStream, 'columns' | 'hasColors'> & { isTTY?: boolean },
  call: { number: number; title: string; method: string; path: string; body: string | undefined },
  response: { status: number; text: string },
): string {
  const paint = createPainter(output);
  const columns = output.columns || DEFAULT_COLUMNS;
  const indent = ' '.repeat(4);
  const lines = [
    `${String(call.number).padStart(2)}  ${paint('bold', call.title)}`,
    `${indent}${paint('cyan', `${call.method} ${call.path}`)}`,
    ...(call.body ? [indent + truncateToColumns(shortenValues(call.body), columns - indent.length)] : []),
    `${indent}${paint('green', String(response.status))} ${truncateToColumns(shortenValues(response.text), columns - indent.length - 4)}`,
  ];
  return `${lines.join('\n')}\n`;
}

export function formatDemoRows(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join('\n');
}

function createPainter(output: { isTTY?: boolean; hasColors?: () => boolean }) {
  const isColored = output.isTTY === true && output.hasColors?.() === true;
  return (style: Parameters<typeof styleText>[0], text: string) =>
    isColored ? styleText(style, text, { validateStream: false }) : text;
}

function shortenValues(json: string): string {
  return JSON.stringify(JSON.parse(json), (_name, value: unknown) =>
    typeof value === 'string' ? truncateWithEllipsis(value, MAX_VALUE_CHARACTERS - 1) : value,
  );
}

/** The ellipsis takes one column. */
function truncateToColumns(text: string, columns: number): string {
  return truncateWithEllipsis(text, Math.max(0, columns - 1));
}
