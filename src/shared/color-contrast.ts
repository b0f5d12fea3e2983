/** Compute the WCAG 2.2 contrast ratio of two colors (#rrggbb), 1 to 21. */
export function computeContrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, 0 to 1. */
export function computeLuminance(color: string): number {
  const [red, green, blue] = parseHexColor(color);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

export function parseHexColor(color: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
