import { type Html, html } from '../../shared/html.ts';
import { FORMATTERS } from './formatters.ts';

/** A day in the finder's language. */
export function renderDay(value: string, tag: string): Html {
  return renderTime(value, `${value}T00:00:00Z`, FORMATTERS.day(tag));
}

/** A date as far as it is known (YYYY, YYYY-MM or YYYY-MM-DD), in the finder's language. */
export function renderPartialDate(value: string, tag: string): Html {
  const [rest, format] =
    value.length === 4
      ? ['-01-01', FORMATTERS.year]
      : value.length === 7
        ? ['-01', FORMATTERS.month]
        : ['', FORMATTERS.day];
  return renderTime(value, `${value}${rest}T00:00:00Z`, format(tag));
}

/** A moment as the clocks show it where it happens: its own offset is kept. */
export function renderDateTime(value: string, tag: string): Html {
  const [, wallTime = value, offset = ''] = /^(.{19})(?:\.\d+)?(.*)$/.exec(value) ?? [];
  const shown = renderTime(value, `${wallTime}Z`, FORMATTERS.moment(tag));
  return html`${shown} (UTC${/^[zZ]$/.test(offset) ? '' : offset})`;
}

function renderTime(value: string, wallTime: string, format: Intl.DateTimeFormat): Html {
  const at = new Date(wallTime);
  if (Number.isNaN(at.getTime())) return html`${value}`;
  return html`<time datetime="${value}">${format.format(at)}</time>`;
}
