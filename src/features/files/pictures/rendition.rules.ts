import Negotiator from 'negotiator';

/** The widths in pixels that pictures are served in. */
export const RENDITION_WIDTHS = [320, 640, 1_280, 2_048] as const;
export type RenditionWidth = (typeof RENDITION_WIDTHS)[number];

/** The width of who asks for none. */
export const DEFAULT_RENDITION_WIDTH: RenditionWidth = 1_280;

/** The formats that pictures are served in, the one that everybody reads first. */
export const RENDITION_FORMATS = ['jpeg', 'webp', 'avif'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** The width in which a picture is made for who asks for one: of a small picture the larger ones would be the same again. */
export function chooseRenditionWidth(requestedWidth: RenditionWidth, pictureWidth: number): RenditionWidth {
  return RENDITION_WIDTHS.find((width) => width >= pictureWidth && width < requestedWidth) ?? requestedWidth;
}

/** The height of a picture at a width, as its drawing has it; nothing is made larger than it is. */
export function getSizeAtWidth(width: RenditionWidth, picture: { width: number; height: number }) {
  if (picture.width <= width) return { width: picture.width, height: picture.height };
  return { width, height: Math.max(1, Math.round((picture.height * width) / picture.width)) };
}

/**
 * The format that an Accept header prefers (RFC 9110, section 12.5.1): AVIF and WebP go to who names them, JPEG to who
 * takes anything, and to who takes none of the three, since a picture is better than an error.
 */
export function negotiateFormat(accept: string | undefined): RenditionFormat {
  const types = RENDITION_FORMATS.map((format) => `image/${format}`);
  const [best] = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes(types);
  return RENDITION_FORMATS.find((format) => `image/${format}` === best) ?? 'jpeg';
}
