import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = 'test/features/owner-pages/pictures';

/** Pictures that differ, to look at; not in Git. */
const FAILED_FOLDER = 'tmp/pictures';

const FINGERPRINT_FILE = join(FOLDER, 'fingerprint.txt');

export const MAX_PICTURE_BYTES = 40_000;

/** Of 255, in any color: less is the palette, or the edge of a letter. */
const MAX_COLOR_DIFFERENCE = 48;
const MAX_CHANGED_SHARE = 0.002;

const REFERENCE_TEXT = `<!doctype html><body style="margin:8px;font:16px/1.4 system-ui,sans-serif"><p>Hamburgefonstiv 0123</p>
<p style="font-weight:600;font-size:24px">قطة · 猫 · “Rex’s”</p><p style="font-family:monospace">code</p><input value="Rex"><select><option>Pet</select>`;

/** Fingerprint how this machine draws texts: with other fonts, or another Chromium, pictures cannot be compared. */
export async function computeFingerprint(page: Page): Promise<string> {
  await page.setContent(REFERENCE_TEXT);
  const pixels = await sharp(await page.screenshot())
    .raw()
    .toBuffer();
  return createHash('sha256').update(pixels).digest('hex');
}

export async function readFingerprint(): Promise<string | null> {
  return existsSync(FINGERPRINT_FILE) ? (await readFile(FINGERPRINT_FILE, 'utf8')).trim() : null;
}

/** Keep pictures of the machine with this fingerprint. */
export async function writeFingerprint(fingerprint: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(FINGERPRINT_FILE, `${fingerprint}\n`);
}

/** Keep a picture; returns its size in bytes. */
export async function writePicture(name: string, screenshot: Buffer): Promise<number> {
  const picture = await sharp(screenshot).png({ palette: true, colors: 64, compressionLevel: 9 }).toBuffer();
  await writeFile(join(FOLDER, `${name}.png`), picture);
  return picture.length;
}

/** Compare with the kept picture; returns what differs, or null. */
export async function comparePicture(name: string, screenshot: Buffer): Promise<string | null> {
  const file = join(FOLDER, `${name}.png`);
  if (!existsSync(file)) return `there is no ${file}`;
  const [baseline, current] = await Promise.all([readPixels(await readFile(file)), readPixels(screenshot)]);
  const share =
    baseline.width === current.width && baseline.height === current.height ? getChangedShare() : 1;
  if (share <= MAX_CHANGED_SHARE) return null;
  await mkdir(FAILED_FOLDER, { recursive: true });
  await writeFile(join(FAILED_FOLDER, `${name}.png`), screenshot);
  return `${(share * 100).toFixed(1)} % of ${file} differ from ${join(FAILED_FOLDER, `${name}.png`)}`;

  function getChangedShare(): number {
    let changed = 0;
    for (let at = 0; at < baseline.data.length; at += 3) {
      const isChanged = [0, 1, 2].some(
        (color) =>
          Math.abs((baseline.data[at + color] ?? 0) - (current.data[at + color] ?? 0)) > MAX_COLOR_DIFFERENCE,
      );
      if (isChanged) changed += 1;
    }
    return changed / (baseline.data.length / 3);
  }
}

async function readPixels(picture: Buffer) {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
