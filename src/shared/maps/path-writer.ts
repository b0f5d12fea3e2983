/** Collects what d3-geo draws, as `d` of an SVG path. */
export interface PathWriter {
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  arc(): void;
  closePath(): void;
  toString(): string;
}

/** Shorter and narrower rings are left out. */
const MIN_RING_PIXELS = 4;

/**
 * Write points on a grid of pixels without repeated and straight ones. Borders of two countries snap to the same
 * points, so no gap opens between them.
 */
export function createPathWriter(): PathWriter {
  let path = '';
  let line: [number, number][] = [];

  function add(x: number, y: number): void {
    const point: [number, number] = [Math.round(x), Math.round(y)];
    const last = line.at(-1);
    if (last && last[0] === point[0] && last[1] === point[1]) return;
    const before = line.at(-2);
    if (last && before && isStraight(before, last, point)) line.pop();
    line.push(point);
  }

  function end(close: string): void {
    const [first, ...others] = line;
    line = [];
    if (!first || (close && !isLargeEnough([first, ...others]))) return;
    let [x, y] = first;
    const moves = others.map(([nextX, nextY]) => {
      const move = `${nextX - x}${nextY < y ? '' : ' '}${nextY - y}`;
      [x, y] = [nextX, nextY];
      return move;
    });
    path += `M${first[0]} ${first[1]}l${moves.join(' ').replaceAll(' -', '-')}${close}`;
  }

  return {
    beginPath() {},
    moveTo(x, y) {
      end('');
      add(x, y);
    },
    lineTo: add,
    arc() {},
    closePath: () => end('z'),
    toString() {
      end('');
      return path;
    },
  };
}

function isStraight([ax, ay]: [number, number], [bx, by]: [number, number], [cx, cy]: [number, number]) {
  const [firstX, firstY, secondX, secondY] = [bx - ax, by - ay, cx - bx, cy - by];
  return firstX * secondY === firstY * secondX && firstX * secondX + firstY * secondY > 0;
}

function isLargeEnough(ring: readonly [number, number][]): boolean {
  if (ring.length < 3) return false;
  const size = (axis: 0 | 1) => {
    const values = ring.map((point) => point[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  return size(0) >= MIN_RING_PIXELS && size(1) >= MIN_RING_PIXELS;
}
