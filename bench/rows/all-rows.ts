import { cardsRow } from './cards.ts';
import { cursorRow } from './cursor.ts';
import { exportRow } from './export.ts';
import { imageRow } from './image.ts';
import { codeListRow, scanListRow } from './lists.ts';
import { pageRow } from './page.ts';
import { pgbenchRow } from './pgbench.ts';
import type { BenchRow } from './row.ts';
import { scanAloneRow, scanOneCodeRow, scanRow } from './scan.ts';
import { statisticsRow } from './statistics.ts';

/** All measurements in the order of the table; rows of the same world are adjacent. */
export const BENCH_ROWS: readonly BenchRow[] = [
  scanRow,
  scanOneCodeRow,
  scanAloneRow,
  pageRow,
  pgbenchRow,
  imageRow,
  codeListRow,
  scanListRow,
  cursorRow,
  cardsRow,
  exportRow,
  statisticsRow,
];
