// Imported lazily, as it takes long to load. The build replaces this file by a bundle of what it uses.
export { create as openFont, type Font, type GlyphPosition } from 'fontkit';
export { default as PDFDocument } from 'pdfkit';
