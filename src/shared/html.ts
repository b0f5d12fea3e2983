/** Markup that is safe to send; created only by `html` and its helpers. */
export interface Html {
  readonly markup: string;
}

type HtmlValue = string | number | Html | readonly Html[] | null | undefined | false;

/** Build markup from a template; values are escaped unless they are markup. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let markup = strings[0] ?? '';
  for (const [index, value] of values.entries()) markup += toMarkup(value) + strings[index + 1];
  return { markup };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function toMarkup(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if ('markup' in value) return value.markup;
  return value.map((part) => part.markup).join('');
}
