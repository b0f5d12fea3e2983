import { isKnownColumn, toColumnName } from './csv-columns.ts';

/** How a file separates columns and rows: spreadsheets follow the language of the computer. */
export interface CsvDialect {
  delimiter: string;
  recordDelimiters: string[];
  /** Bytes before the header. */
  start: number;
}

/** A comma where none fits better. */
const DELIMITERS = [',', ';', '\t', '|'];

/** Excel reads the separator from this line, and writes it as any other. */
const SEPARATOR_LINE_PATTERN = /^\ufeff?"?sep=([^\w"\r\n])"?[,;\t]*(?:\r\n|\r|\n)/i;

/** Detect the dialect by the beginning of a file. */
export function detectCsvDialect(head: Buffer): CsvDialect {
  const text = head.toString('utf8');
  const [separatorLine = '', separator] = SEPARATOR_LINE_PATTERN.exec(text) ?? [];
  const { header, lineEnd } = readFirstLine(text.slice(separatorLine.length));
  return {
    delimiter: separator ?? detectDelimiter(header),
    recordDelimiters: lineEnd === '\r' ? ['\r'] : ['\r\n', '\n'],
    start: Buffer.byteLength(separatorLine),
  };
}

function detectDelimiter(header: string): string {
  const countKnown = (delimiter: string) =>
    header.split(delimiter).filter((cell) => isKnownColumn(toColumnName(cell.replaceAll('"', '')))).length;
  const known = DELIMITERS.map(countKnown);
  // A file with a mapping can have other names.
  const counts = known.some((count) => count > 0) ? known : DELIMITERS.map(countCells);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';

  function countCells(delimiter: string): number {
    return header
      .split('"')
      .reduce((sum, part, index) => sum + (index % 2 === 0 ? part.split(delimiter).length - 1 : 0), 0);
  }
}

function readFirstLine(text: string): { header: string; lineEnd: '\r' | '\n' } {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== '\r' && character !== '\n')) continue;
    const lineEnd = character === '\n' || text[at + 1] === '\n' ? '\n' : '\r';
    return { header: text.slice(0, at), lineEnd };
  }
  return { header: text, lineEnd: '\n' };
}
