import { createPdfTextWriter, type PdfTextLayout } from '../../../platform/pdf/pdf-text-writer.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';

export { PDF_TEXT_COLOR } from '../../../platform/pdf/pdf-text-writer.ts';
export const PDF_MUTED_TEXT_COLOR = '#4a4a4a';
export const PDF_CHART_GRID_COLOR = '#dde2e8';
export const PDF_CARD_COLOR = '#f4f6f9';

/** A4, in points. */
const PAGE_WIDTH = 595;

export interface PdfSheet {
  document: PDFKit.PDFDocument;
  readonly isFullyPrintable: boolean;
  /** Return the y below the text. */
  write(text: string, layout: PdfTextLayout): number;
  tag(type: string, text: string, layout: PdfTextLayout, parent?: PDFKit.PDFStructureElement): number;
  /** With `ltr`, `draw` places texts from the left in every language. */
  figure(text: string, draw: () => void, direction?: 'ltr'): void;
  /** Draw what screen readers skip. */
  decorate(draw: (document: PDFKit.PDFDocument) => void): void;
  /** Points of a text on one line. */
  measure(text: string, size: number): number;
  /** Return where a box is from the left. */
  getLeft(x: number, width: number): number;
  group(type: string, parent?: PDFKit.PDFStructureElement): PDFKit.PDFStructureElement;
  end(): Promise<Buffer>;
}

export async function createPdfSheet(title: string, locale: Locale): Promise<PdfSheet> {
  // Loaded lazily: only PDF reports need it.
  const { PDFDocument } = await import('../../../platform/pdf-library.ts');
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: locale.tag,
    tagged: true,
    displayTitle: true,
    // No standard font, which would be loaded for nothing.
    font: '',
    info: { Title: title },
  });
  const writer = await createPdfTextWriter(document, locale, PAGE_WIDTH);
  const root = document.struct('Document');
  document.addStructure(root);
  return {
    document,
    get isFullyPrintable() {
      return writer.isFullyPrintable;
    },
    write: writer.write,
    measure: writer.measure,
    getLeft: writer.getLeft,
    tag(type, text, layout, parent = root) {
      let below = layout.y;
      const element = document.struct(type, {}, () => {
        below = writer.write(text, layout);
      });
      parent.add(element);
      element.end();
      return below;
    },
    figure(text, draw, direction) {
      const element = document.struct('Figure', { alt: text }, () => {
        const previous = writer.isMirrored;
        if (direction === 'ltr') writer.isMirrored = false;
        draw();
        writer.isMirrored = previous;
      });
      root.add(element);
      element.end();
    },
    decorate(draw) {
      document.markContent('Artifact');
      draw(document);
      document.endMarkedContent();
    },
    group(type, parent = root) {
      const element = document.struct(type);
      parent.add(element);
      return element;
    },
    async end() {
      root.end();
      document.end();
      const chunks: Buffer[] = [];
      for await (const chunk of document) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
  };
}
