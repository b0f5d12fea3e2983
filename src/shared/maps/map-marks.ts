import { escapeHtml } from '../html.ts';
import { type Box, CHARACTER_WIDTH, project, round } from './city-labels.ts';
import { MAP_COLORS } from './map-css.ts';
import type { MapPoint, MapView } from './map-view.ts';

export interface MapMark {
  x: number;
  y: number;
  text: string;
  isNewest: boolean;
  box: Box;
  /** Of the newest of its points. */
  href: string | undefined;
}

/** Place a mark at each point; near points share one, and the newest is last. */
export function createMarks(points: readonly MapPoint[], firstNumber: number, view: MapView): MapMark[] {
  const groups: { x: number; y: number; numbers: number[]; href: string | undefined }[] = [];
  for (let index = points.length - 1; index >= 0; index -= 1) {
    const point = points[index];
    const place = point && project(view, point);
    if (!place) continue;
    const near = groups.find((group) => Math.hypot(group.x - place.x, group.y - place.y) < 20);
    if (near) near.numbers.unshift(index + firstNumber);
    else groups.push({ ...place, numbers: [index + firstNumber], href: point.href });
  }
  // The newest is drawn last, above the others.
  return groups.reverse().map(({ x, y, numbers, href }, index) => {
    const text = formatNumbers(numbers);
    const isNewest = index === groups.length - 1;
    // A link is large enough for a finger.
    const halfHeight = isNewest || href !== undefined ? 12 : 10;
    const half = Math.max(halfHeight, (text.length * CHARACTER_WIDTH) / 2 + 5);
    const box = { left: x - half, right: x + half, top: y - halfHeight, bottom: y + halfHeight };
    return { x, y, text, isNewest, box, href };
  });
}

/** Shorten 1, 2, 3, 7 to `1–3, 7`. */
function formatNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const texts = runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  return texts.length > 2 ? `${texts[0]}, …, ${texts.at(-1)}` : texts.join(', ');
}

export function drawMark({ x, y, text, isNewest, box, href }: MapMark): string {
  const { left, right, top, bottom } = box;
  const color = isNewest ? MAP_COLORS.mark : MAP_COLORS.old;
  const mark = `<rect x="${round(left)}" y="${round(top)}" width="${round(right - left)}" height="${round(bottom - top)}" rx="${round((bottom - top) / 2)}" fill="${color}" stroke="${MAP_COLORS.markText}" stroke-width="2"/><text x="${round(x)}" y="${round(y + 4)}" text-anchor="middle" font-weight="700" fill="${MAP_COLORS.markText}">${text}</text>`;
  return href === undefined ? mark : `<a href="${escapeHtml(href)}">${mark}</a>`;
}
