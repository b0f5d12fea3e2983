import type { Html } from '../../shared/html.ts';

/** Bytes of markup as it is sent. */
export function bytesOf(part: Html): number {
  return Buffer.byteLength(part.markup);
}

/** As much of a value as fits: a text that may be is cut, a list loses its last items, anything else is all or nothing. */
export function fit<Value>(
  whole: Value,
  render: (value: Value) => Html,
  bytes: number,
  mayCut = true,
): { markup: Html; value: Value; isWhole: boolean } | null {
  let value: unknown = whole;
  for (;;) {
    // What is left of a text or a list is one, too.
    const part = value as Value;
    const markup = render(part);
    const size = bytesOf(markup);
    if (size <= bytes) return { markup, value: part, isWhole: value === whole };
    const share = Math.max(0, bytes) / size;
    if (typeof value === 'string' && mayCut) value = cut(value, share);
    else if (Array.isArray(value) && value.length > 1)
      value = value.slice(0, Math.max(1, Math.min(value.length - 1, Math.floor(value.length * share))));
    else return null;
    if (value === '') return null;
  }
}

function cut(text: string, share: number): string {
  const characters = [...text];
  const kept = Math.floor(characters.length * share) - 2;
  return kept > 0 ? `${characters.slice(0, kept).join('')}…` : '';
}
