import { encodeForm, type FormPart } from './forms.ts';
import { pickByIndex } from './request-plan.ts';

/** Make a form invalid; `length` is a wrong Content-Length. */
export type FormDefect = (form: { parts: FormPart[]; nth: number }) => {
  type: string;
  bytes: Buffer;
  length?: number;
};

export const FORM_DEFECTS: Record<string, FormDefect> = {
  none: ({ parts }) => encodeForm(parts),
  'cut short': ({ parts, nth }) => changeFileBytes(parts, (bytes) => bytes.subarray(0, nth % bytes.length)),
  'bytes altered': ({ parts, nth }) => changeFileBytes(parts, (bytes) => alterBytes(bytes, nth)),
  'no last boundary': ({ parts }) => changeFileBytes(parts, (bytes) => bytes.subarray(0, bytes.length - 26)),
  'another boundary': ({ parts }) => ({ ...encodeForm(parts), type: 'multipart/form-data; boundary=other' }),
  'no boundary': ({ parts }) => ({ ...encodeForm(parts), type: 'multipart/form-data' }),
  'an empty boundary': ({ parts }) => ({ ...encodeForm(parts), type: 'multipart/form-data; boundary=' }),
  'a long boundary': ({ parts }) => encodeForm(parts, 'b'.repeat(400)),
  'a boundary in quotes': ({ parts }) => ({
    ...encodeForm(parts, 'a b'),
    type: 'multipart/form-data; boundary="a b"',
  }),
  'a boundary of odd bytes': ({ parts }) => ({
    ...encodeForm(parts),
    type: 'multipart/form-data; boundary="\xff\xfe"',
  }),
  'thousands of fields': ({ parts }) => encodeForm([...createManyParts(3_000), ...parts]),
  'more fields than are taken': ({ parts }) => encodeForm([...parts, ...createManyParts(60)]),
  'twenty files': ({ parts }) =>
    encodeForm([
      ...parts,
      ...Array.from({ length: 20 }, (_, n) => ({ ...getFilePart(parts), name: `f${n}` })),
    ]),
  'the file twice': ({ parts }) => encodeForm([...parts, getFilePart(parts)]),
  'the file as a field': ({ parts }) =>
    encodeForm([...parts.slice(0, -1), { name: getFilePart(parts).name, bytes: getFilePart(parts).bytes }]),
  'a field as a file': ({ parts }) =>
    encodeForm([{ name: 'email', filename: 'email.txt', bytes: Buffer.from('x') }, ...parts]),
  'a field too long': ({ parts }) =>
    encodeForm([...parts, { name: 'firstName', bytes: Buffer.alloc(70_000, 'a') }]),
  'bad text in a field': ({ parts, nth }) =>
    encodeForm([
      ...parts,
      {
        name: 'organizationName',
        bytes: Buffer.from(pickByIndex(['\xff\xfe', 'a\x00b', '\xed\xa0\x80', '\x1b'], nth) ?? '', 'latin1'),
      },
    ]),
  'names of prototypes': ({ parts, nth }) =>
    encodeForm([
      ...parts,
      {
        name: pickByIndex(['__proto__', 'constructor', 'a[__proto__]', 'prototype.x'], nth) ?? '',
        bytes: Buffer.from('1'),
      },
    ]),
  'no name': ({ parts }) => encodeForm([...parts, { name: '', bytes: Buffer.from('1') }]),
  'a name of odd bytes': ({ parts, nth }) =>
    encodeForm([
      ...parts,
      {
        name: pickByIndex(['\xff', 'a\x00', 'a"; x="', '\xe2\x80\xae', 'n'.repeat(9_000)], nth) ?? '',
        bytes: Buffer.from('1'),
      },
    ]),
  'no header of a part': ({ parts }) =>
    changeFileBytes(parts, (bytes) => replaceText(bytes, 'Content-Disposition: form-data', 'X: y')),
  'a header too long': ({ parts }) =>
    changeFileBytes(parts, (bytes) =>
      replaceText(bytes, 'form-data;', `form-data; x="${'y'.repeat(20_000)}";`),
    ),
  'many headers of a part': ({ parts }) =>
    changeFileBytes(parts, (bytes) => replaceText(bytes, '\r\n\r\n', `\r\n${'X: y\r\n'.repeat(3_000)}\r\n`)),
  'bare line feeds': ({ parts }) =>
    changeFileBytes(parts, (bytes) =>
      Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    ),
  'an encoding of a part': ({ parts }) =>
    changeFileBytes(parts, (bytes) =>
      replaceText(bytes, '\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n'),
    ),
  'text before and after': ({ parts }) =>
    changeFileBytes(parts, (bytes) =>
      Buffer.concat([Buffer.from('before\r\n'), bytes, Buffer.from('after')]),
    ),
  'nothing but the end': () => ({ ...encodeForm([]) }),
  'nothing at all': () => ({ ...encodeForm([]), bytes: Buffer.alloc(0) }),
  'a length too small': ({ parts, nth }) => {
    const form = encodeForm(parts);
    return { ...form, length: nth % form.bytes.length };
  },
  'not a form': ({ parts }) => ({ type: 'image/png', bytes: getFilePart(parts).bytes }),
  'said to be JSON': ({ parts }) => ({ ...encodeForm(parts), type: 'application/json' }),
  'too large': ({ parts }) =>
    encodeForm([...parts.slice(0, -1), { ...getFilePart(parts), bytes: Buffer.alloc(10_000_001, 0xff) }]),
  'far too large': ({ parts }) =>
    encodeForm([...parts.slice(0, -1), { ...getFilePart(parts), bytes: Buffer.alloc(24_000_000) }]),
};

/** Rarely chosen, because they send many bytes. */
export const HEAVY_DEFECTS = new Set(['too large', 'far too large']);

function createTextPart(name: string, text: string): FormPart {
  return { name, bytes: Buffer.from(text) };
}

function getFilePart(parts: readonly FormPart[]): FormPart {
  return parts.at(-1) ?? { name: 'profilePicture', filename: 'x', bytes: Buffer.alloc(0) };
}

/** Alter a few bytes; `nth` determines which. */
export function alterBytes(bytes: Buffer, nth: number): Buffer {
  const changed = Buffer.from(bytes);
  for (let count = 0, at = nth; count < 1 + (nth % 8) && changed.length > 0; count += 1) {
    at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
    changed[at % changed.length] = (at >>> 16) & 0xff;
  }
  return changed;
}

function changeFileBytes(parts: FormPart[], change: (bytes: Buffer) => Buffer) {
  const form = encodeForm(parts);
  return { ...form, bytes: change(form.bytes) };
}

function replaceText(bytes: Buffer, search: string, replacement: string): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(search, () => replacement),
    'latin1',
  );
}

function createManyParts(count: number): FormPart[] {
  return Array.from({ length: count }, (_, n) => createTextPart(`f${n}`, 'x'));
}
