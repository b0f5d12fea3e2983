import jsqr from 'jsqr';
import sharp from 'sharp';

/** Decode an image as UTF-8; null when no code is found. */
export async function readWithJsqr(image: Buffer): Promise<string | null> {
  const { data, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = jsqr.default(new Uint8ClampedArray(data), info.width, info.height);
  return found === null ? null : Buffer.from(found.binaryData).toString();
}
