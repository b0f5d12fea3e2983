import type { QrSymbolMatrix } from './matrix.ts';

/** Create the path of a line one module wide over dark modules: half as long as outlines of bars. */
export function createQrSvgStrokePath({ size, modules }: QrSymbolMatrix): string {
  let path = '';
  for (let row = 0; row < size; row += 1) {
    path += `M0 ${row}.5`;
    for (let column = 0; column < size; ) {
      const start = column;
      const shade = modules[row * size + column];
      while (column < size && modules[row * size + column] === shade) column += 1;
      // Light modules at the end of a row need no move.
      if (shade === 1) path += `h${column - start}`;
      else if (column < size) path += `m${column - start} 0`;
    }
  }
  return path;
}
