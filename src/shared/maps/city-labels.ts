import { escapeHtml } from '../html.ts';
import { MAP_COLORS } from './map-css.ts';
import type { MapView } from './map-view.ts';

const MAX_LABELS = 9;
export const FONT_SIZE = 12;
export const CHARACTER_WIDTH = 6.6;

export interface MapCity {
  name: string;
  latitude: number;
  longitude: number;
  population: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Label {
  x: number;
  y: number;
  textX: number;
  textY: number;
  name: string;
}

/** Label the largest cities that have room. */
export function placeLabels(cities: readonly MapCity[], view: MapView, taken: readonly Box[]): Label[] {
  const boxes = [...taken, { left: 0, right: 130, top: view.height - 34, bottom: view.height }];
  const labels: Label[] = [];
  for (const city of cities) {
    if (labels.length === MAX_LABELS) break;
    const place = project(view, city);
    if (!place) continue;
    const { x, y } = place;
    const textWidth = city.name.length * CHARACTER_WIDTH;
    const candidates = [
      { textX: x + 6, textY: y + 4 },
      { textX: x - 6 - textWidth, textY: y + 4 },
      { textX: x - textWidth / 2, textY: y - 7 },
      { textX: x - textWidth / 2, textY: y + 16 },
    ];
    for (const { textX, textY } of candidates) {
      const box = {
        left: Math.min(x - 3, textX),
        right: Math.max(x + 3, textX + textWidth),
        top: Math.min(y - 3, textY - FONT_SIZE),
        bottom: Math.max(y + 3, textY + 4),
      };
      const isInside =
        box.left >= 2 && box.right <= view.width - 2 && box.top >= 2 && box.bottom <= view.height;
      if (!isInside || boxes.some((other) => isOverlapping(box, other))) continue;
      boxes.push(box);
      labels.push({ x, y, textX, textY, name: city.name });
      break;
    }
  }
  return labels;
}

function isOverlapping(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

export function drawLabel({ x, y, textX, textY, name }: Label): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="2.5" fill="${MAP_COLORS.text}"/><text x="${round(textX)}" y="${round(textY)}" fill="${MAP_COLORS.text}" stroke="${MAP_COLORS.land}" stroke-width="3" stroke-linejoin="round" paint-order="stroke">${escapeHtml(name)}</text>`;
}

export function project(
  { projection, width, height }: MapView,
  place: { longitude: number; latitude: number },
) {
  const [x, y] = projection([place.longitude, place.latitude]) ?? [-1, -1];
  return x >= 0 && y >= 0 && x <= width && y <= height ? { x, y } : null;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
