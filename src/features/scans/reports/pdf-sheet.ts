import { toPrintableText } from './pdf-text.rules.ts';

export const TEXT_COLOR = '#1a1a1a';
export const MUTED_TEXT_COLOR = '#4a4a4a';
export const GRID_COLOR = '#dde2e8';
export const CARD_COLOR = '#f4f6f9';

/** Where and how a text stands: points from the left and the top. */
interface TextLayout {
  x: number;
  y: number;
  width: number;
  /** Size of the letters in points. */
  size: number;
  color?: string;
  bold?: boolean;
  align?: 'left' | 'right' | 'center';
  /** What does not fit into so many lines ends in an ellipsis. */
  lines?: number;
}

/** A sheet of a tagged PDF. */
export interface PdfSheet {
  document: PDFKit.PDFDocument;
  /** Whether every letter so far could be shown. */
  isFullyPrintable: boolean;
  /** Writes text as part of a tagged element; answers the y below it. */
  write(text: string, layout: TextLayout): number;
  /** Writes a text that is an element of its own, below the document or another element. */
  tag(type: string, text: string, layout: TextLayout, parent?: PDFKit.PDFStructureElement): number;
  /** Draws a picture that is read as a text. */
  figure(text: string, draw: () => void): void;
  /** Begins an element that others are put into. */
  group(type: string, parent?: PDFKit.PDFStructureElement): PDFKit.PDFStructureElement;
  end(): Promise<Buffer>;
}

/** Opens a PDF of one A4 page with a title and a language that readers are told. */
export async function createPdfSheet(title: string, language: string): Promise<PdfSheet> {
  // Loaded when the first PDF is asked for: a start has no use for it.
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    ...{ size: 'A4', margin: 0, pdfVersion: '1.7', lang: language, tagged: true, displayTitle: true },
    info: { Title: title },
  });
  const root = document.struct('Document');
  document.addStructure(root);

  const sheet: PdfSheet = {
    document,
    isFullyPrintable: true,
    write(text, { x, y, width, size, color = TEXT_COLOR, bold = false, align = 'left', lines = 1 }) {
      const shown = toPrintableText(text);
      sheet.isFullyPrintable &&= shown.isWhole;
      document
        .font(bold ? 'Helvetica-Bold' : 'Helvetica')
        .fontSize(size)
        .fillColor(color);
      const height = document.currentLineHeight(true);
      document.text(shown.text, x, y, { width, align, ellipsis: true, height: lines * height });
      return lines === 1 ? y + height : document.y;
    },
    tag(type, text, layout, parent = root) {
      let below = layout.y;
      const element = document.struct(type, {}, () => {
        below = sheet.write(text, layout);
      });
      parent.add(element);
      element.end();
      return below;
    },
    figure(text, draw) {
      const element = document.struct('Figure', { alt: text }, draw);
      root.add(element);
      element.end();
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
  return sheet;
}
