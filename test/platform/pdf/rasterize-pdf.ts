import { inflateSync } from 'node:zlib';

type Matrix = readonly [number, number, number, number, number, number];

export interface RasterPage {
  width: number;
  height: number;
  /** One byte a pixel: 0 is black. */
  pixels: Buffer;
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Draw the filled rectangles of each page, as a printer does; other shapes and texts are left out. */
export function rasterizePdf(pdf: Buffer, dotsPerInch: number): RasterPage[] {
  const objects = new Map(
    [...pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(
      ([, id = '', body = '']) => [id, body] as const,
    ),
  );
  const pages = [...objects].filter(([, body]) => /\/Type \/Page\n/.test(body));
  return pages.map(([, body]) => {
    const [, width = '', height = ''] = /\/MediaBox \[0 0 (\S+) (\S+)\]/.exec(body) ?? [];
    const [, contentId = ''] = /\/Contents (\d+) 0 R/.exec(body) ?? [];
    const content = readStream(objects.get(contentId) ?? '');
    return drawPage(content, Number(width), Number(height), dotsPerInch / 72);
  });
}

function readStream(body: string): string {
  const [, bytes = ''] = /stream\n([\s\S]*)\nendstream/.exec(body) ?? [];
  return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
}

function drawPage(content: string, width: number, height: number, scale: number): RasterPage {
  const page = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const pixels = Buffer.alloc(page.width * page.height, 255);
  let matrix: Matrix = [scale, 0, 0, -scale, 0, height * scale];
  let color = 0;
  const stack: { matrix: Matrix; color: number }[] = [];
  let rectangles: number[][] = [];
  for (const line of content.split('\n')) {
    const words = line.trim().split(/\s+/);
    const operator = words.pop();
    const numbers = words.map(Number);
    if (operator === 'q') stack.push({ matrix, color });
    else if (operator === 'Q') ({ matrix, color } = stack.pop() ?? { matrix: IDENTITY, color: 0 });
    else if (operator === 'cm') matrix = multiply(numbers, matrix);
    else if (operator === 'scn')
      color = Math.round((numbers.reduce((sum, part) => sum + part, 0) / numbers.length) * 255);
    else if (operator === 're') rectangles.push(numbers);
    else if (operator === 'f') {
      for (const rectangle of rectangles) fill(pixels, page, toBounds(rectangle, matrix), color);
      rectangles = [];
    } else if (operator === 'S') rectangles = [];
  }
  return { ...page, pixels };
}

function multiply([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[], by: Matrix): Matrix {
  return [
    a * by[0] + b * by[2],
    a * by[1] + b * by[3],
    c * by[0] + d * by[2],
    c * by[1] + d * by[3],
    e * by[0] + f * by[2] + by[4],
    e * by[1] + f * by[3] + by[5],
  ];
}

function toBounds([x = 0, y = 0, width = 0, height = 0]: readonly number[], m: Matrix): number[] {
  const xs = [x, x + width].map((value) => value * m[0] + m[4]);
  const ys = [y, y + height].map((value) => value * m[3] + m[5]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(Math.round);
}

function fill(
  pixels: Buffer,
  page: { width: number; height: number },
  [left = 0, top = 0, right = 0, bottom = 0]: readonly number[],
  color: number,
): void {
  for (let row = Math.max(0, top); row < Math.min(page.height, bottom); row += 1)
    pixels.fill(color, row * page.width + Math.max(0, left), row * page.width + Math.min(page.width, right));
}
