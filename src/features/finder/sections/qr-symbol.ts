import { createQrSymbolMatrix } from '../../../platform/qr-image/matrix.ts';
import { createQrSvgStrokePath } from '../../../platform/qr-image/stroke-path.ts';
import { type Html, html } from '../../../shared/html.ts';

/** Light modules around a symbol (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4;

/** Render a QR code as SVG: about 1 kB for an address, 6 kB for 271 bytes. */
export function renderQrSymbol(text: string, attributes: Html): Html {
  const matrix = createQrSymbolMatrix(text, 'L', false);
  const side = matrix.size + 2 * QUIET_ZONE_MODULES;
  return html`<svg ${attributes} viewBox="${-QUIET_ZONE_MODULES} ${-QUIET_ZONE_MODULES} ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M${-QUIET_ZONE_MODULES} ${-QUIET_ZONE_MODULES}h${side}v${side}h-${side}z"/><path stroke="#000" d="${createQrSvgStrokePath(matrix)}"/></svg>`;
}

/** Render the code of a page with its address, which only a printed page shows. */
export function renderPrintedCode(scanUrl: string): Html {
  return html`<div class="paper" dir="ltr">${renderQrSymbol(scanUrl, html`aria-hidden="true"`)}<p>${scanUrl}</p></div>\n`;
}
