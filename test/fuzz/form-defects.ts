import { encodeForm, type Part } from './forms.ts';
import { chosen } from './plan.ts';

/** A form that is made wrong; `length` is a Content-Length that is not its own. */
export type Defect = (form: { parts: Part[]; nth: number }) => {
  type: string;
  bytes: Buffer;
  length?: number;
};

/** What can be wrong with a form, by name. */
export const DEFECTS: Record<string, Defect> = {
  none: ({ parts }) => encodeForm(parts),
  'cut short': ({ parts, nth }) => changedBytes(parts, (bytes) => bytes.subarray(0, nth % bytes.length)),
  'bytes altered': ({ parts, nth }) => changedBytes(parts, (bytes) => altered(bytes, nth)),
  'no last boundary': ({ parts }) => changedBytes(parts, (bytes) => bytes.subarray(0, bytes.length - 26)),
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
  'thousands of fields': ({ parts }) => encodeForm([...manyParts(3_000), ...parts]),
  'more fields than are taken': ({ parts }) => encodeForm([...parts, ...manyParts(60)]),
  'twenty files': ({ parts }) =>
    encodeForm([...parts, ...Array.from({ length: 20 }, (_, n) => ({ ...filePart(parts), name: `f${n}` }))]),
  'the file twice': ({ parts }) => encodeForm([...parts, filePart(parts)]),
  'the file as a field': ({ parts }) =>
    encodeForm([...parts.slice(0, -1), { name: filePart(parts).name, bytes: filePart(parts).bytes }]),
  'a field as a file': ({ parts }) =>
    encodeForm([{ name: 'email', filename: 'email.txt', bytes: Buffer.from('x') }, ...parts]),
  'a field too long': ({ parts }) =>
    encodeForm([...parts, { name: 'firstName', bytes: Buffer.alloc(70_000, 'a') }]),
  'bad text in a field': ({ parts, nth }) =>
    encodeForm([
      ...parts,
      {
        name: 'organizationName',
        bytes: Buffer.from(chosen(['\xff\xfe', 'a\x00b', '\xed\xa0\x80', '\x1b'], nth) ?? '', 'latin1'),
      },
    ]),
  'names of prototypes': ({ parts, nth }) =>
    encodeForm([
      ...parts,
      {
        name: chosen(['__proto__', 'constructor', 'a[__proto__]', 'prototype.x'], nth) ?? '',
        bytes: Buffer.from('1'),
      },
    ]),
  'no name': ({ parts }) => encodeForm([...parts, { name: '', bytes: Buffer.from('1') }]),
  'a name of odd bytes': ({ parts, nth }) =>
    encodeForm([
      ...parts,
      {
        name: chosen(['\xff', 'a\x00', 'a"; x="', '\xe2\x80\xae', 'n'.repeat(9_000)], nth) ?? '',
        bytes: Buffer.from('1'),
      },
    ]),
  'no header of a part': ({ parts }) =>
    changedBytes(parts, (bytes) => replaced(bytes, 'Content-Disposition: form-data', 'X: y')),
  'a header too long': ({ parts }) =>
    changedBytes(parts, (bytes) => replaced(bytes, 'form-data;', `form-data; x="${'y'.repeat(20_000)}";`)),
  'many headers of a part': ({ parts }) =>
    changedBytes(parts, (bytes) => replaced(bytes, '\r\n\r\n', `\r\n${'X: y\r\n'.repeat(3_000)}\r\n`)),
  'bare line feeds': ({ parts }) =>
    changedBytes(parts, (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
  'an encoding of a part': ({ parts }) =>
    changedBytes(parts, (bytes) =>
      replaced(bytes, '\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n'),
    ),
  'text before and after': ({ parts }) =>
    changedBytes(parts, (bytes) => Buffer.concat([Buffer.from('before\r\n'), bytes, Buffer.from('after')])),
  'nothing but the end': () => ({ ...encodeForm([]) }),
  'nothing at all': () => ({ ...encodeForm([]), bytes: Buffer.alloc(0) }),
  'a length too small': ({ parts, nth }) => {
    const form = encodeForm(parts);
    return { ...form, length: nth % form.bytes.length };
  },
  'not a form': ({ parts }) => ({ type: 'image/png', bytes: filePart(parts).bytes }),
  'said to be JSON': ({ parts }) => ({ ...encodeForm(parts), type: 'application/json' }),
  'too large': ({ parts }) =>
    encodeForm([...parts.slice(0, -1), { ...filePart(parts), bytes: Buffer.alloc(10_000_001, 0xff) }]),
  'far too large': ({ parts }) =>
    encodeForm([...parts.slice(0, -1), { ...filePart(parts), bytes: Buffer.alloc(24_000_000) }]),
};

/** Those that move many bytes come seldom, so that a run is not spent on them. */
export const HEAVY = new Set(['too large', 'far too large']);

function textPart(name: string, text: string): Part {
  return { name, bytes: Buffer.from(text) };
}

function filePart(parts: readonly Part[]): Part {
  return parts.at(-1) ?? { name: 'profilePicture', filename: 'x', bytes: Buffer.alloc(0) };
}

/** A few bytes of it are others; which, the number decides. */
export function altered(bytes: Buffer, nth: number): Buffer {
  const changed = Buffer.from(bytes);
  for (let turn = 0, at = nth; turn < 1 + (nth % 8) && changed.length > 0; turn += 1) {
    at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
    changed[at % changed.length] = (at >>> 16) & 0xff;
  }
  return changed;
}

function changedBytes(parts: Part[], change: (bytes: Buffer) => Buffer) {
  const form = encodeForm(parts);
  return { ...form, bytes: change(form.bytes) };
}

function replaced(bytes: Buffer, what: string, by: string): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(what, () => by),
    'latin1',
  );
}

function manyParts(count: number): Part[] {
  return Array.from({ length: count }, (_, n) => textPart(`f${n}`, 'x'));
}
