import { toPdfPrintableText } from './pdf-text.rules.ts';

export const PDF_TEXT_COLOR = '#1a1a1a';
export const PDF_MUTED_TEXT_COLOR = '#4a4a4a';
export const PDF_CHART_GRID_COLOR = '#dde2e8';
export const PDF_CARD_COLOR = '#f4f6f9';

/** Points from the left and top. */
interface TextLayout {
  x: number;
  y: number;
  width: number;
  size: number;
  color?: string;
  bold?: boolean;
  align?: 'left' | 'right' | 'center';
  /** Longer text is truncated with an ellipsis. */
  lines?: number;
}

export interface PdfSheet {
  document: PDFKit.PDFDocument;
  isFullyPrintable: boolean;
  /** Return the y below the text. */
  write(text: string, layout: TextLayout): number;
  tag(type: string, text: string, layout: TextLayout, parent?: PDFKit.PDFStructureElement): number;
  figure(text: string, draw: () => void): void;
  /** Draw what screen readers skip. */
  decorate(draw: (document: PDFKit.PDFDocument) => void): void;
  /** Points of a text on one line. */
  measure(text: string, size: number): number;
  group(type: string, parent?: PDFKit.PDFStructureElement): PDFKit.PDFStructureElement;
  end(): Promise<Buffer>;
}

export async function createPdfSheet(title: string, language: string): Promise<PdfSheet> {
  // Loaded lazily: only PDF reports need it.
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    info: { Title: title },
  });
  const root = document.struct('Document');
  document.addStructure(root);

  const sheet: PdfSheet = {
    document,
    isFullyPrintable: true,
    write(text, { x, y, width, size, color = PDF_TEXT_COLOR, bold = false, align = 'left', lines = 1 }) {
      const printable = toPdfPrintableText(text);
      sheet.isFullyPrintable &&= printable.isWhole;
      document
        .font(bold ? 'Helvetica-Bold' : 'Helvetica')
        .fontSize(size)
        .fillColor(color);
      const height = document.currentLineHeight(true);
      document.text(printable.text, x, y, { width, align, ellipsis: true, height: lines * height });
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
    decorate(draw) {
      document.markContent('Artifact');
      draw(document);
      document.endMarkedContent();
    },
    measure(text, size) {
      return document.font('Helvetica').fontSize(size).widthOfString(toPdfPrintableText(text).text);
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
