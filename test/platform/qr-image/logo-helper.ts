import sharp from 'sharp';

/** A logo of one colour as data URL. */
export async function createLogo(background: string, width = 100, height = 100): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
  return toDataUrl(png);
}

/** Bytes as a data URL that says it is a picture, whether it is or not. */
export function toDataUrl(bytes: Buffer, type = 'png'): string {
  return `data:image/${type};base64,${bytes.toString('base64')}`;
}
