import { type Html, html } from '../../shared/html.ts';
import { FORMATS } from './formats.ts';

/** A day in the finder's language. */
export function dayOf(value: string, tag: string): Html {
  return time(value, `${value}T00:00:00Z`, FORMATS.day(tag));
}

/** A date as far as it is known (YYYY, YYYY-MM or YYYY-MM-DD), in the finder's language. */
export function partialDateOf(value: string, tag: string): Html {
  const [rest, format] =
    value.length === 4
      ? ['-01-01', FORMATS.year]
      : value.length === 7
        ? ['-01', FORMATS.month]
        : ['', FORMATS.day];
  return time(value, `${value}${rest}T00:00:00Z`, format(tag));
}

/** A moment as the clocks show it where it happens: its own offset is kept. */
export function momentOf(value: string, tag: string): Html {
  const [, wall = value, offset = ''] = /^(.{19})(?:\.\d+)?(.*)$/.exec(value) ?? [];
  const shown = time(value, `${wall}Z`, FORMATS.moment(tag));
  return html`${shown} (UTC${/^[zZ]$/.test(offset) ? '' : offset})`;
}

function time(value: string, wall: string, format: Intl.DateTimeFormat): Html {
  const at = new Date(wall);
  if (Number.isNaN(at.getTime())) return html`${value}`;
  return html`<time datetime="${value}">${format.format(at)}</time>`;
}
