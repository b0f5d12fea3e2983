import Negotiator from 'negotiator';

export const RENDITION_WIDTHS = [320, 640, 1_280, 2_048] as const;
export type RenditionWidth = (typeof RENDITION_WIDTHS)[number];

export const DEFAULT_RENDITION_WIDTH: RenditionWidth = 1_280;

/** JPEG first: every client supports it. */
export const RENDITION_FORMATS = ['jpeg', 'webp', 'avif'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** Choose the rendition width; a small picture is not enlarged. */
export function chooseRenditionWidth(requestedWidth: RenditionWidth, pictureWidth: number): RenditionWidth {
  return RENDITION_WIDTHS.find((width) => width >= pictureWidth && width < requestedWidth) ?? requestedWidth;
}

/** Get the size at a width; pictures are not enlarged. */
export function getPictureSizeAtWidth(width: RenditionWidth, picture: { width: number; height: number }) {
  if (picture.width <= width) return { width: picture.width, height: picture.height };
  return { width, height: Math.max(1, Math.round((picture.height * width) / picture.width)) };
}

/**
 * Negotiate the format by Accept (RFC 9110, 12.5.1): AVIF and WebP only when named, otherwise JPEG, also for
 * a header that accepts none of them.
 */
export function negotiateRenditionFormat(accept: string | undefined): RenditionFormat {
  const types = RENDITION_FORMATS.map((format) => `image/${format}`);
  const [best] = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes(types);
  return RENDITION_FORMATS.find((format) => `image/${format}` === best) ?? 'jpeg';
}
