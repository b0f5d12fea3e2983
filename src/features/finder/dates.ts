import { type Html, html } from '../../shared/html.ts';
import { FORMATTERS } from './formatters.ts';

export function renderDay(value: string, tag: string): Html {
  return renderTime(value, `${value}T00:00:00Z`, FORMATTERS.day(tag));
}

/** Render a date of the form YYYY, YYYY-MM or YYYY-MM-DD. */
export function renderPartialDate(value: string, tag: string): Html {
  const [rest, format] =
    value.length === 4
      ? ['-01-01', FORMATTERS.year]
      : value.length === 7
        ? ['-01', FORMATTERS.month]
        : ['', FORMATTERS.day];
  return renderTime(value, `${value}${rest}T00:00:00Z`, format(tag));
}

/** Render a timestamp in its own UTC offset. */
export function renderDateTime(value: string, tag: string): Html {
  const [, wallTime = value, offset = ''] = /^(.{19})(?:\.\d+)?(.*)$/.exec(value) ?? [];
  const time = renderTime(value, `${wallTime}Z`, FORMATTERS.moment(tag));
  return html`${time} (UTC${/^[zZ]$/.test(offset) ? '' : offset})`;
}

function renderTime(value: string, wallTime: string, format: Intl.DateTimeFormat): Html {
  const at = new Date(wallTime);
  if (Number.isNaN(at.getTime())) return html`${value}`;
  return html`<time datetime="${value}">${format.format(at)}</time>`;
}
