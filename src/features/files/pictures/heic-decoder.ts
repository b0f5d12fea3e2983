import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createLibheif } from './heic-library.ts';
import { readItemProperties, readMetaBoxes } from './heif-boxes.rules.ts';
import { removeHeifCrop } from './heif-crop.rules.ts';
import { removeRepeatedHeifReferences } from './heif-references.rules.ts';

/** A picture of 25 million pixels takes 200 MB; a file could claim any amount. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const WASM_PAGE_BYTES = 65_536;

let compiledLibrary: WebAssembly.Module | undefined;

/**
 * Decode the primary picture of a HEIC file into a PNG, upright, with its color profile and no other metadata.
 * @throws for a damaged file, and for one that takes too much memory
 */
export async function convertHeicToPng(heic: Buffer, maxEdge: number): Promise<Buffer> {
  const cropped = removeHeifCrop(heic);
  const { data, ...raw } = decodePrimaryPicture(removeRepeatedHeifReferences(cropped?.file ?? heic));
  const picture = sharp(data, { raw });
  if (cropped) picture.extract(cropped.crop);
  const png = await picture
    .resize({ width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const profile = findColorProfile(heic);
  return profile ? embedColorProfile(png, profile) : png;
}

/** The orientation is that of the file's own properties; Exif says it once more (ISO/IEC 23008-12, 6.5.10). */
function decodePrimaryPicture(heic: Buffer) {
  const library = openLibrary();
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = library.heif_chroma;
  const context = library.heif_context_alloc();
  const { code } = library.heif_context_read_from_memory(context, heic);
  const handle =
    code === library.heif_error_code.heif_error_Ok
      ? library.heif_js_context_get_primary_image_handle(context)
      : null;
  if (!handle || handle.code) throw new Error('The file has no picture.');
  const hasAlpha = library.heif_image_handle_has_alpha_channel(handle) !== 0;
  const decoded = library.heif_js_decode_image2(
    handle,
    library.heif_colorspace.heif_colorspace_RGB,
    hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
  );
  const picture = decoded?.channels?.[0];
  if (!picture) throw new Error('The picture cannot be decoded.');
  const { width, height, stride } = picture;
  const channels = hasAlpha ? 4 : 3;
  const lines = Buffer.from(picture.data.buffer, picture.data.byteOffset, picture.data.byteLength);
  return {
    data: removePadding(lines, { lineBytes: width * channels, stride }),
    width,
    height,
    channels,
  } as const;
}

function removePadding(lines: Buffer, { lineBytes, stride }: { lineBytes: number; stride: number }): Buffer {
  if (stride === lineBytes) return lines;
  const count = Math.floor(lines.length / stride);
  const result = Buffer.alloc(count * lineBytes);
  for (let line = 0; line < count; line++)
    lines.copy(result, line * lineBytes, line * stride, line * stride + lineBytes);
  return result;
}

/** Create an instance for one picture: nothing of it is left for the next, and its memory is freed. */
function openLibrary() {
  return createLibheif({
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, receive) {
      compiledLibrary ??= new WebAssembly.Module(this.wasmBinary);
      const instance = new WebAssembly.Instance(compiledLibrary, imports);
      for (const value of Object.values(instance.exports))
        if (value instanceof WebAssembly.Memory) limitMemory(value);
      receive(instance);
      return instance.exports;
    },
  });
}

/** The library takes a failed growth for a lack of memory. */
function limitMemory(memory: WebAssembly.Memory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES > MAX_MEMORY_BYTES)
      throw new RangeError('The picture takes too much memory.');
    return grow(pages);
  };
}

/** Find an ICC profile; phones store wide colors with it (ISO/IEC 14496-12, 12.1.5). */
function findColorProfile(heic: Buffer): Buffer | null {
  const properties = readMetaBoxes(heic).flatMap((meta) => readItemProperties(heic, meta));
  const profile = properties.find(
    ({ type, from }) => type === 'colr' && ['prof', 'rICC'].includes(heic.toString('latin1', from, from + 4)),
  );
  return profile ? heic.subarray(profile.from + 4, profile.end) : null;
}

const PNG_HEADER_BYTES = 33;

/** Add an iCCP chunk behind the header (PNG, third edition, 11.3.2.3); sharp takes no profile with raw pixels. */
function embedColorProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([png.subarray(0, PNG_HEADER_BYTES), chunk, png.subarray(PNG_HEADER_BYTES)]);
}
