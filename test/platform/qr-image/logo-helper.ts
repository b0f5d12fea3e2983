import sharp from 'sharp';

export async function createLogo(background: string, width = 100, height = 100): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
  return toDataUrl(png);
}

/** Create a data URL with an image type, whatever the bytes are. */
export function toDataUrl(bytes: Buffer, type = 'png'): string {
  return `data:image/${type};base64,${bytes.toString('base64')}`;
}
