import type { Html } from '../../shared/html.ts';

export function countMarkupBytes(part: Html): number {
  return Buffer.byteLength(part.markup);
}

/** Render as much of a value as fits: texts are cut, lists lose their last items, other values are left out. */
export function truncateToFit<Value>(
  whole: Value,
  render: (value: Value) => Html,
  bytes: number,
  canTruncateText = true,
): { markup: Html; value: Value; isWhole: boolean } | null {
  let value: unknown = whole;
  for (;;) {
    // A truncated text or list has the same type.
    const part = value as Value;
    const markup = render(part);
    const size = countMarkupBytes(markup);
    if (size <= bytes) return { markup, value: part, isWhole: value === whole };
    const share = Math.max(0, bytes) / size;
    if (typeof value === 'string' && canTruncateText) value = truncateText(value, share);
    else if (Array.isArray(value) && value.length > 1)
      value = value.slice(0, Math.max(1, Math.min(value.length - 1, Math.floor(value.length * share))));
    else return null;
    if (value === '') return null;
  }
}

function truncateText(text: string, share: number): string {
  const characters = [...text];
  const maxCharacters = Math.floor(characters.length * share) - 2;
  return maxCharacters > 0 ? `${characters.slice(0, maxCharacters).join('')}…` : '';
}
