export type PictureType = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic' | 'gif';

/** File signatures with their byte offset. */
const SIGNATURES: readonly { type: PictureType; at: number; bytes: string }[] = [
  { type: 'jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'gif', at: 0, bytes: 'GIF87a' },
  { type: 'gif', at: 0, bytes: 'GIF89a' },
  { type: 'webp', at: 8, bytes: 'WEBP' },
];

/** Brands of AVIF images and image sequences. */
const AVIF_BRANDS = ['avif', 'avis'];

/** Detect the type from the first bytes, not from a name or Content-Type; null for an unsupported type. */
export function detectPictureType(bytes: Buffer): PictureType | null {
  const found = SIGNATURES.find(
    (one) => bytes.toString('latin1', one.at, one.at + one.bytes.length) === one.bytes,
  );
  if (found?.type === 'webp') return bytes.toString('latin1', 0, 4) === 'RIFF' ? 'webp' : null;
  if (found) return found.type;
  if (isAvif(bytes)) return 'avif';
  return isHeic(bytes) ? 'heic' : null;
}

/** As phones take it (ISO/IEC 23008-12). */
function isHeic(bytes: Buffer): boolean {
  return listBrands(bytes).some((brand) => /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand));
}

function isAvif(bytes: Buffer): boolean {
  return listBrands(bytes).some((brand) => AVIF_BRANDS.includes(brand));
}

/** List the major and compatible brands of the file type box (ISO/IEC 14496-12, 4.3). */
function listBrands(bytes: Buffer): string[] {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp' || bytes.length < 16) return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  return brands;
}
