import {
  createPdfTextWriter,
  PDF_LINE_HEIGHT,
  PDF_TEXT_COLOR,
} from '../../../platform/pdf/pdf-text-writer.ts';
import { toMillimeters, toPoints } from '../../../platform/pdf/pdf-units.ts';
import type { PlacedQrSymbol } from '../../../platform/qr-image/decode-pdf.ts';
import { createQrSymbolMatrix } from '../../../platform/qr-image/matrix.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';

export const POSTER_PAPERS = ['A4', 'LETTER'] as const;
export type PosterPaper = (typeof POSTER_PAPERS)[number];

/** A JPEG. */
interface PosterPhoto {
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

/** What a poster says, in its language. */
export interface PosterContent {
  /** BCP 47. */
  language: string;
  paper: PosterPaper;
  flag: string;
  name: string;
  photo: PosterPhoto | null;
  facts: string | null;
  message: string | null;
  /** Since when, and where it was last seen. */
  circumstances: readonly string[];
  reward: string | null;
  scanUrl: string;
  call: string;
  hints: readonly string[];
  /** Under the symbol of each strip. */
  number: string | null;
  hasTearOffs: boolean;
}

/** Points. */
const PAGE_SIZES: Readonly<Record<PosterPaper, readonly [number, number]>> = {
  A4: [595.28, 841.89],
  LETTER: [612, 792],
};
const MARGIN = 36;
const GAP = 8;
const CONTACT_HEIGHT = toPoints(40);
const TEAR_OFF_HEIGHT = toPoints(44);
const TEAR_OFF_COUNT = 8;
/** A smaller photo shows nothing from a few steps away. */
const MIN_PHOTO_HEIGHT_POINTS = 90;
const QUIET_ZONE_MODULES = 4;
const FLAG_COLOR = '#b3261e';
const RULE_COLOR = '#8a8a8a';

/** Where a symbol of a poster is. */
export interface PosterSymbol extends PlacedQrSymbol {
  place: 'MAIN' | 'TEAR_OFF';
}

interface PosterText {
  text: string;
  size: number;
  lines: number;
  color?: string;
  bold?: boolean;
}

/** Draw a poster on one page: the photo takes what its texts leave. */
export async function createPosterPdf(
  content: PosterContent,
): Promise<{ bytes: Buffer; symbols: PosterSymbol[] }> {
  const [pageWidth, pageHeight] = PAGE_SIZES[content.paper];
  const width = pageWidth - 2 * MARGIN;
  const locale = toSupportedLocale(content.language);
  // Loaded lazily: it takes longer than all other image code.
  const { PDFDocument } = await import('../../../platform/pdf-library.ts');
  const document = new PDFDocument({
    size: [pageWidth, pageHeight],
    margin: 0,
    // No standard font, which would be loaded for nothing.
    font: '',
    lang: locale.tag,
    displayTitle: true,
    info: { Title: `${content.flag}: ${content.name}` },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.once('end', resolve));
  const writer = await createPdfTextWriter(document, locale, pageWidth);
  const symbol = createQrSymbolMatrix(content.scanUrl, 'M', false);
  const symbols: PosterSymbol[] = [];

  const bottom = content.hasTearOffs ? pageHeight - TEAR_OFF_HEIGHT - GAP : pageHeight - MARGIN;
  const contactTop = bottom - CONTACT_HEIGHT;
  drawMain(MARGIN, contactTop - GAP);
  drawContact(contactTop);
  if (content.hasTearOffs) drawTearOffs(pageHeight - TEAR_OFF_HEIGHT);
  document.end();
  await ended;
  return { bytes: Buffer.concat(chunks), symbols };

  function drawMain(top: number, end: number): void {
    const { photo } = content;
    const titles = [
      {
        text: content.flag,
        size: chooseLineSize(content.flag, 72, 28),
        lines: 1,
        bold: true,
        color: FLAG_COLOR,
      },
      { text: content.name, size: photo ? 36 : chooseLineSize(content.name, 64, 36), lines: 2, bold: true },
    ];
    const createTexts = (scale: number): PosterText[] => [
      ...toTexts(content.facts, { size: 14 * scale, lines: 2 }),
      ...toTexts(content.message, { size: 16 * scale, lines: 6 }),
      ...content.circumstances.map((text) => ({ text, size: 14 * scale, lines: 2 })),
      ...toTexts(content.reward, { size: 24 * scale, lines: 2, bold: true }),
    ];
    const measureAll = (texts: readonly PosterText[]) =>
      texts.reduce((sum, text) => sum + measureHeight(text) + GAP, 0);
    const available = end - top - measureAll(titles);
    const photoHeight = available - measureAll(createTexts(1)) - GAP;
    const shownPhoto = photoHeight >= MIN_PHOTO_HEIGHT_POINTS ? photo : null;
    // Without a photo the texts are the poster.
    const scales = shownPhoto ? [1] : [3, 2.5, 2, 1.5, 1.25, 1];
    const texts = createTexts(scales.find((scale) => measureAll(createTexts(scale)) <= available) ?? 1);
    let y = top;
    for (const title of titles) y = writeCentered(title, y) + GAP;
    if (shownPhoto) {
      const scale = Math.min(width / shownPhoto.width, photoHeight / shownPhoto.height);
      const size = { width: shownPhoto.width * scale, height: shownPhoto.height * scale };
      document.image(Buffer.from(shownPhoto.bytes), (pageWidth - size.width) / 2, y, size);
      y += size.height + GAP;
    } else y += Math.max(0, available - measureAll(texts)) / 3;
    for (const text of texts) y = writeCentered(text, y) + GAP;
  }

  function drawContact(top: number): void {
    const x = MARGIN + CONTACT_HEIGHT + GAP;
    const textWidth = width - CONTACT_HEIGHT - GAP;
    drawSymbol('MAIN', writer.getLeft(MARGIN, CONTACT_HEIGHT), top, CONTACT_HEIGHT);
    const callSize = content.call.length > 60 ? 16 : 19;
    let y = top + GAP;
    y = writer.write(content.call, { x, y, width: textWidth, size: callSize, bold: true, lines: 3 }) + 4;
    for (const text of content.hints)
      y = writer.write(text, { x, y, width: textWidth, size: 11, lines: 2, direction: 'auto' }) + 3;
  }

  function drawTearOffs(top: number): void {
    const stripWidth = pageWidth / TEAR_OFF_COUNT;
    const side = stripWidth - 10;
    document.dash(4, { space: 3 }).lineWidth(0.5).strokeColor(RULE_COLOR);
    document.moveTo(0, top).lineTo(pageWidth, top).stroke();
    for (let strip = 1; strip < TEAR_OFF_COUNT; strip += 1)
      document
        .moveTo(strip * stripWidth, top)
        .lineTo(strip * stripWidth, pageHeight)
        .stroke();
    document.undash();
    for (let strip = 0; strip < TEAR_OFF_COUNT; strip += 1) {
      const left = strip * stripWidth + 4;
      const box = { x: writer.isMirrored ? pageWidth - left - stripWidth + 8 : left, width: stripWidth - 8 };
      drawSymbol('TEAR_OFF', strip * stripWidth + (stripWidth - side) / 2, top + 4, side);
      const style = { ...box, align: 'center', direction: 'auto' } as const;
      const y = writer.write(content.flag, {
        ...style,
        y: top + side + 6,
        size: 9,
        bold: true,
        color: FLAG_COLOR,
      });
      const below = writer.write(content.name, { ...style, y, size: 9, bold: true, lines: 2 });
      if (content.number !== null) writer.write(content.number, { ...style, y: below, size: 7 });
    }
  }

  /** With its quiet zone. */
  function drawSymbol(place: PosterSymbol['place'], left: number, top: number, side: number): void {
    const module = side / (symbol.size + 2 * QUIET_ZONE_MODULES);
    document.save();
    document.translate(left + QUIET_ZONE_MODULES * module, top + QUIET_ZONE_MODULES * module).scale(module);
    for (let row = 0; row < symbol.size; row += 1)
      for (let column = 0; column < symbol.size; column += 1)
        if (symbol.modules[row * symbol.size + column] === 1) document.rect(column, row, 1, 1);
    document.fill('#000000').restore();
    const [x, y, width] = [toMillimeters(left), toMillimeters(top), toMillimeters(side)];
    symbols.push({ place, content: content.scanUrl, page: 0, area: { x, y, width, height: width } });
  }

  function writeCentered({ text, color = PDF_TEXT_COLOR, ...layout }: PosterText, y: number): number {
    return writer.write(text, { ...layout, color, x: MARGIN, y, width, align: 'center', direction: 'auto' });
  }

  function measureHeight({ text, size, lines, bold = false }: PosterText): number {
    const count = writer.countLines(text, { width, size, bold, direction: 'auto' });
    return Math.min(lines, count) * size * PDF_LINE_HEIGHT;
  }

  /** The largest size at which a text stands on one line. */
  function chooseLineSize(text: string, max: number, min: number): number {
    return Math.max(min, Math.min(max, (max * width) / Math.max(1, writer.measure(text, max) * 1.1)));
  }
}

function toTexts(text: string | null, style: Omit<PosterText, 'text'>): PosterText[] {
  return text === null ? [] : [{ text, ...style }];
}
