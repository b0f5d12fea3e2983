import { type Html, html } from '../../../shared/html.ts';

/** Strokes in a square of 24 units, in the color of the text. */
const ICON_PATHS = {
  call: 'M6 3h4l1 5-2 2a12 12 0 0 0 5 5l2-2 5 1v4l-2 2A17 17 0 0 1 4 5z',
  message: 'M4 5h16v11H9l-5 4z',
  pin: 'M12 21s7-6 7-12A7 7 0 0 0 5 9c0 6 7 12 7 12zM12 8v2',
  wallet: 'M4 7h16v13H4zM4 7l12-4v4M15 13h2',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  medical: 'M9 3h6v6h6v6h-6v6H9v-6H3V9h6z',
  candle: 'M8 11h8v10H8zM5 21h14M12 11V8M12 8c-2-1-2-3 0-5 2 2 2 4 0 5z',
  figure: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-5 4-7 8-7s8 2 8 7',
  link: 'M10 14l4-4M9 9l2-2a4 4 0 0 1 6 6l-2 2M15 15l-2 2a4 4 0 0 1-6-6l2-2',
  text: 'M4 6h16M4 11h16M4 16h10',
  mail: 'M3 6h18v13H3zM3 7l9 7 9-7',
  card: 'M3 5h18v14H3zM8 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM5 16c1-3 5-3 6 0M14 9h4M14 13h4',
  paw: 'M12 12c-3 0-5 3-5 5s2 3 5 2c3 1 5 0 5-2s-2-5-5-5zM5 10v1M9 5v2M15 5v2M19 10v1',
  bag: 'M5 8h14v12H5zM9 8V4h6v4M5 13h14',
  car: 'M3 12l2-6h14l2 6v6H3zM3 12h18M7 15h1M16 15h1M6 18v2M18 18v2',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  heart: 'M12 20s-8-5-8-11a4 4 0 0 1 8-2 4 4 0 0 1 8 2c0 6-8 11-8 11z',
  idCard: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  wifi: 'M3 10a13 13 0 0 1 18 0M6 13a9 9 0 0 1 12 0M9 16a4 4 0 0 1 6 0M12 20h0',
} as const;

export type IconName = keyof typeof ICON_PATHS;

/** Render an icon beside a label, which screen readers skip. */
export function renderIcon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON_PATHS[name]}"/></svg> `;
}
