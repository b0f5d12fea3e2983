import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import subsetFont from 'subset-font';
import {
  PDF_FONT_LICENSE_FILE,
  PDF_FONTS,
  type PdfFontFamily,
} from '../../src/platform/pdf/pdf-font-files.ts';

const TARGET = 'dist/platform/pdf/fonts';

/** Higher levels take minutes and save a few percent. */
const BROTLI_QUALITY = 9;

/** East Asian text needs no shaping, and is not written vertically. */
const LAYOUT_TABLES = ['BASE', 'GDEF', 'GPOS', 'GSUB', 'VORG', 'vhea', 'vmtx'];

/** What is kept of each font; null is everything. The Japanese one has the Chinese characters that another lacks. */
const SUBSETS: Readonly<
  Record<PdfFontFamily, { characters: (() => string) | null; dropTables?: readonly string[] }>
> = {
  sans: { characters: null },
  arabic: { characters: null },
  hebrew: { characters: null },
  japanese: { characters: null, dropTables: LAYOUT_TABLES },
  chinese: { characters: listGb2312Characters, dropTables: LAYOUT_TABLES },
  hangul: { characters: listHangulSyllables, dropTables: LAYOUT_TABLES },
};

/** Write the fonts of reports into dist/ with their licenses, so that their packages are development dependencies. */
export async function compressFonts(): Promise<void> {
  await mkdir(TARGET, { recursive: true });
  for (const [family, { package: name, regular, bold }] of Object.entries(PDF_FONTS)) {
    await copyFile(`node_modules/${name}/${PDF_FONT_LICENSE_FILE}`, `${TARGET}/LICENSE-${family}.txt`);
    const { characters, dropTables = [] } = SUBSETS[family as PdfFontFamily];
    for (const file of [regular, bold]) {
      if (!file) continue;
      const font = await subsetFont(await readFile(`node_modules/${name}/${file}`), characters?.(), {
        targetFormat: 'truetype',
        keepAllGlyphs: characters === null,
        noHinting: true,
        dropTables,
      });
      await writeFile(`${TARGET}/${basename(file)}.br`, await compress(font));
    }
  }
}

function compress(font: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(font, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
}

/** GB 2312, which has the characters of names and everyday Chinese, is rows A1 to F7 of GBK. */
function listGb2312Characters(): string {
  const bytes = Array.from({ length: 0xf7 - 0xa1 + 1 }, (_, row) =>
    Array.from({ length: 0xfe - 0xa1 + 1 }, (_cell, cell) => [0xa1 + row, 0xa1 + cell]),
  );
  return new TextDecoder('gbk').decode(Uint8Array.from(bytes.flat(2))).replace(/[\p{Co}\ufffd]/gu, '');
}

function listHangulSyllables(): string {
  return String.fromCodePoint(...Array.from({ length: 0xd7a3 - 0xac00 + 1 }, (_, index) => 0xac00 + index));
}
