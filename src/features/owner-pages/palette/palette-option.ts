import { type Html, html } from '../../../shared/html.ts';

/** A page that the palette leads to. */
export interface PaletteOption {
  href: string;
  label: Html;
  /** Kind of the code; none for pages and actions. */
  hint?: string;
}

/** Render what the script puts into its list; the first one is chosen. */
export function renderPaletteOptions(options: readonly PaletteOption[]): Html {
  return html`${options.map(
    ({ href, label, hint }, index) =>
      html`<li role="option" id="palette-${index}" aria-selected="${index === 0 ? 'true' : 'false'}" data-href="${href}"><span>${label}</span>${hint && html` <span class="small">${hint}</span>`}</li>\n`,
  )}`;
}
