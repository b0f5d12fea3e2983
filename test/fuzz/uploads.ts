import fc from 'fast-check';
import type { Operation } from './document.ts';
import { encodeForm, type Forms, type Part } from './forms.ts';
import { PASSWORD } from './from-schema.ts';
import { chosen } from './nearly-valid.ts';
import type { Actor } from './plan.ts';
import type { Request } from './request.ts';
import type { World } from './world.ts';

/** An upload before it is made: plain data. */
export interface UploadPlan {
  operation: string;
  as: Actor;
  method: string;
  template: string;
  fields: string[];
  file: string;
  /** What is wrong with the file's bytes, and how. */
  damage: 'none' | 'cut' | 'altered' | 'twice' | 'reversed';
  /** What is wrong with the form. */
  defect: string;
  filename: string;
  contentType: string;
  nth: number;
  /** Where the sender hangs up, as a share of the bytes; 1 is not at all. */
  sent: number;
}

const FILES = [
  ...[
    'jpeg',
    'jpeg',
    'jpeg',
    'png',
    'png',
    'png',
    'photo',
    'webp',
    'gif',
    'tiff',
    'avif',
    'bomb',
    'wideBomb',
    'apng',
  ],
  ...[
    'hugeHeader',
    'zeroSize',
    'svg',
    'svgBomb',
    'html',
    'pdf',
    'jpegAndScript',
    'jpegAndZip',
    'gifAndScript',
  ],
  ...['pngAndJpeg', 'magicOnlyJpeg', 'magicOnlyPng', 'noise', 'zeros', 'empty'],
];

const FILENAMES = [
  ...[
    'me.jpg',
    'me.png',
    '../../../../tmp/x.png',
    '..\\..\\x.png',
    '/etc/passwd',
    'a\\"b.png',
    'x.png\\r\\nX-Injected: 1',
    '',
  ],
  ...[
    'x.svg',
    'x.php.png',
    '.htaccess',
    'con',
    'x'.repeat(3_000),
    '\xff\xfe.png',
    '\xe2\x80\xaegnp.exe',
    'a;b=c.png',
    '%00.png',
  ],
];

const CONTENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/svg+xml',
  'text/html',
  'application/octet-stream',
  'x',
  '\xff/\xff',
  '',
];

type Defect = (form: { parts: Part[]; nth: number }) => { type: string; bytes: Buffer; length?: number };

/** What can be wrong with a form, by name. */
const DEFECTS: Record<string, Defect> = {
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
    encodeForm([...parts.slice(0, -1), { name: 'profilePicture', bytes: filePart(parts).bytes }]),
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
const HEAVY = new Set(['too large', 'far too large']);

/** Forms for an operation that takes them. */
export function uploadPlansOf(operation: Operation): fc.Arbitrary<UploadPlan> {
  const light = Object.keys(DEFECTS).filter((name) => !HEAVY.has(name));
  const defects = fc.oneof(
    { weight: 150, arbitrary: fc.constant('none') },
    { weight: 250, arbitrary: fc.constantFrom(...light) },
    { weight: 2, arbitrary: fc.constantFrom(...HEAVY) },
  );
  const actors: Actor[] = /create/.test(operation.path)
    ? ['newcomer', 'newcomer', 'newcomer', 'owner']
    : ['owner', 'owner', 'owner', 'stranger', 'anonymous'];
  return fc.record({
    operation: fc.constant(operation.id),
    as: fc.constantFrom(...actors),
    method: fc.constant(operation.method),
    template: fc.constant(operation.path),
    fields: fc.subarray(['firstName', 'lastName', 'accountType', 'phone', 'language'], { minLength: 2 }),
    file: fc.constantFrom(...FILES),
    damage: fc.constantFrom('none', 'none', 'none', 'cut', 'altered', 'altered', 'twice', 'reversed'),
    defect: defects,
    filename: fc.oneof(fc.constant('me.jpg'), fc.constantFrom(...FILENAMES)),
    contentType: fc.oneof(fc.constant('image/jpeg'), fc.constantFrom(...CONTENT_TYPES)),
    nth: fc.nat({ max: 2 ** 20 }),
    sent: fc.oneof(
      { weight: 12, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.double({ min: 0.05, max: 0.95, noNaN: true }) },
    ),
  });
}

/** Makes the request of an upload, and how many of its bytes are sent. */
export function uploadRequestOf(plan: UploadPlan, world: World, forms: Forms): Request & { sent: number } {
  const file = damaged(forms.files[plan.file] ?? Buffer.alloc(0), plan);
  const parts: Part[] = [
    ...(plan.operation === 'accounts.register'
      ? [textPart('email', `upload-${plan.nth}@example.org`), textPart('password', PASSWORD)]
      : []),
    ...plan.fields.map((name) => textPart(name, TEXTS[name] ?? 'x')),
    { name: 'profilePicture', filename: plan.filename, contentType: plan.contentType, bytes: file },
  ];
  const made = (DEFECTS[plan.defect] ?? encodeFormOf)({ parts, nth: plan.nth });
  const path = plan.template.replace(/\{[^}]+\}/g, () =>
    world.find({ $pick: 'id', of: 'user', whose: 'own', nth: 0 }, plan.as, []),
  );
  const token = world.tokenOf(plan.as);
  const head = [
    `${plan.method} ${path} HTTP/1.1`,
    `Host: ${world.host}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    `Content-Type: ${made.type}`,
    `Content-Length: ${made.length ?? made.bytes.length}`,
  ];
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), made.bytes]);
  const isOdd = made.length !== undefined;
  return { bytes, method: plan.method, path, as: plan.as, isOdd, sent: Math.floor(bytes.length * plan.sent) };
}

const TEXTS: Record<string, string> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  accountType: 'INDIVIDUAL',
  phone: '+49 170 1234567',
  language: 'en',
};

const encodeFormOf: Defect = ({ parts }) => encodeForm(parts);

function textPart(name: string, text: string): Part {
  return { name, bytes: Buffer.from(text) };
}

function filePart(parts: readonly Part[]): Part {
  return parts.at(-1) ?? { name: 'profilePicture', filename: 'x', bytes: Buffer.alloc(0) };
}

function damaged(bytes: Buffer, { damage, nth }: UploadPlan): Buffer {
  switch (damage) {
    case 'none':
      return bytes;
    case 'cut':
      return bytes.subarray(0, nth % Math.max(1, bytes.length));
    case 'altered':
      return altered(bytes, nth);
    case 'twice':
      return Buffer.concat([bytes, bytes]);
    case 'reversed':
      return Buffer.concat([bytes.subarray(0, 12), Buffer.from(bytes.subarray(12)).reverse()]);
  }
}

/** A few bytes of it are others; which, the number decides. */
function altered(bytes: Buffer, nth: number): Buffer {
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
