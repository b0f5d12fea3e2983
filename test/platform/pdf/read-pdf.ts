import { inflateSync } from 'node:zlib';

/** The texts of the glyphs of a line in their visual order; `x` is that of the first, in points. */
export type PdfLine = string[] & { x: number };

/** Read the texts of marked content as any reader does: glyph codes through the ToUnicode map of their font. */
export function readPdfLines(pdf: Buffer): PdfLine[] {
  const objects = new Map(
    [...pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = '', body = '']) => [
      id,
      readObject(body),
    ]),
  );
  const bodies = [...objects.values()];
  const fonts = new Map(
    bodies.flatMap((body) =>
      [...body.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => {
        const [, mapId = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? [];
        return [name, readToUnicode(objects.get(mapId) ?? '')] as const;
      }),
    ),
  );
  return bodies.filter((body) => / Tf$/m.test(body)).flatMap((content) => readContent(content, fonts));
}

function readObject(body: string): string {
  const [, bytes] = /stream\n([\s\S]*)\nendstream/.exec(body) ?? [];
  if (bytes === undefined) return body;
  try {
    return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
  } catch {
    return '';
  }
}

function readToUnicode(map: string): string[] {
  return [...map.matchAll(/\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/<([^>]*)>/g)].map(([, hex = '']) =>
      String.fromCharCode(...[...hex.matchAll(/[0-9a-f]{4}/g)].map(([unit]) => Number.parseInt(unit, 16))),
    ),
  );
}

function readContent(content: string, fonts: ReadonlyMap<string, readonly string[]>): PdfLine[] {
  return content.split('EMC').flatMap((part) => {
    const lines = new Map<string, PdfLine>();
    let [font, line] = [[] as readonly string[], Object.assign([] as string[], { x: 0 })];
    for (const [, x, y = '', name, hex = ''] of part.matchAll(
      /BT\n1 0 0 1 (\S+) (\S+) Tm|\/(F\d+) \S+ Tf|<([0-9a-f]+)>/g,
    )) {
      if (name !== undefined) font = fonts.get(name) ?? [];
      else if (x === undefined)
        line.push(...[...hex.matchAll(/.{4}/g)].map(([code]) => font[Number.parseInt(code, 16)] ?? ''));
      else {
        line = lines.get(y) ?? Object.assign([] as string[], { x: Number(x) });
        lines.set(y, line);
      }
    }
    return [...lines.values()];
  });
}
