/** Colors of maps for the style sheet of a page; an SVG without them is light. */
export const MAP_CSS = `:root{--map-water:#d8e6f1;--map-land:#f7f4ee;--map-border:#b3ab9b;--map-text:#333;--map-mark:#0b4fb3;--map-mark-text:#fff;--map-old:#50698c;--map-1:#c3d9f4;--map-2:#85b3e8;--map-3:#3d80ce;--map-4:#0b4fb3}
@media screen and (prefers-color-scheme:dark){:root{--map-water:#16242f;--map-land:#2d2f31;--map-border:#5d6269;--map-text:#e4e4e4;--map-mark:#9cc2ff;--map-mark-text:#111;--map-old:#93a7c4;--map-1:#24405f;--map-2:#33679c;--map-3:#5f9ddd;--map-4:#b5d6ff}}
@media print{:root{--map-water:#e6eef5;--map-land:#fff;--map-border:#999;--map-text:#000}}`;

export const MAP_COLORS = {
  water: 'var(--map-water,#d8e6f1)',
  land: 'var(--map-land,#f7f4ee)',
  border: 'var(--map-border,#b3ab9b)',
  text: 'var(--map-text,#333)',
  mark: 'var(--map-mark,#0b4fb3)',
  markText: 'var(--map-mark-text,#fff)',
  old: 'var(--map-old,#50698c)',
} as const;
