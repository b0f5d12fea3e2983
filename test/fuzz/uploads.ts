import fc from 'fast-check';
import { type ApiDocument, type Operation, type Schema, toObject } from './document.ts';
import { createDocumentFiles } from './document-files.ts';
import { alterBytes, FORM_DEFECTS, HEAVY_DEFECTS } from './form-defects.ts';
import { encodeForm, type FormEncoder, type FormPart } from './forms.ts';
import { createValidPlanArbitrary } from './plan-arbitraries.ts';
import { type EncodedRequest, encodeFilledRequest } from './request.ts';
import type { RequestPlan } from './request-plan.ts';
import type { FuzzWorld } from './world.ts';

/** An upload before it is sent: plain data. */
export interface UploadPlan {
  plan: RequestPlan;
  field: string;
  file: string;
  corruption: 'none' | 'cut' | 'altered' | 'twice' | 'reversed';
  defect: string;
  filename: string;
  contentType: string;
  nth: number;
  /** Share of the bytes after which the sender disconnects; 1 sends everything. */
  sentShare: number;
}

const UPLOAD_FILES = [
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
  ...Object.keys(createDocumentFiles()),
];

const UPLOAD_FILENAMES = [
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

const UPLOAD_CONTENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/svg+xml',
  'text/html',
  'application/octet-stream',
  'x',
  '\xff/\xff',
  '',
];

export function createUploadPlanArbitrary(
  document: ApiDocument,
  operation: Operation,
): fc.Arbitrary<UploadPlan> {
  const schema = operation.bodies[FORM_CONTENT_TYPE] ?? {};
  const light = Object.keys(FORM_DEFECTS).filter((name) => !HEAVY_DEFECTS.has(name));
  const defects = fc.oneof(
    { weight: 150, arbitrary: fc.constant('none') },
    { weight: 250, arbitrary: fc.constantFrom(...light) },
    { weight: 2, arbitrary: fc.constantFrom(...HEAVY_DEFECTS) },
  );
  return fc.record({
    plan: createValidPlanArbitrary(document, {
      ...operation,
      bodies: { [FORM_CONTENT_TYPE]: schema },
      examples: {},
    }),
    field: fc.constant(getFileField(document.resolve(schema))),
    file: fc.constantFrom(...UPLOAD_FILES),
    corruption: fc.constantFrom('none', 'none', 'none', 'cut', 'altered', 'altered', 'twice', 'reversed'),
    defect: defects,
    filename: fc.oneof(fc.constant('me.jpg'), fc.constantFrom(...UPLOAD_FILENAMES)),
    contentType: fc.oneof(fc.constant('image/jpeg'), fc.constantFrom(...UPLOAD_CONTENT_TYPES)),
    nth: fc.nat({ max: 2 ** 20 }),
    sentShare: fc.oneof(
      { weight: 12, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.double({ min: 0.05, max: 0.95, noNaN: true }) },
    ),
  });
}

/** Encode the request of an upload; returns also how many of its bytes to send. */
export function encodeUploadRequest(
  upload: UploadPlan,
  world: FuzzWorld,
  forms: FormEncoder,
): { request: EncodedRequest; sentBytes: number } {
  const { plan, field, nth, filename, contentType } = upload;
  const file: FormPart = {
    name: field,
    filename,
    contentType,
    bytes: corruptBytes(forms.files[upload.file], upload),
  };
  const request = encodeFilledRequest(plan, world, (value) => {
    const fields = Object.entries(toObject(value)).filter(([name]) => name !== field);
    const parts = fields.map(
      ([name, input]): FormPart => ({ name, bytes: Buffer.from(String(input ?? '')) }),
    );
    const make = FORM_DEFECTS[upload.defect];
    return make ? make({ parts: [...parts, file], nth }) : encodeForm([...parts, file]);
  });
  return { request, sentBytes: Math.floor(request.bytes.length * upload.sentShare) };
}

const FORM_CONTENT_TYPE = 'multipart/form-data';

function getFileField(schema: Schema): string {
  const fileProperty = Object.entries(toObject(schema.properties)).find(
    ([, property]) => toObject(property).format === 'binary',
  );
  return fileProperty?.[0] ?? 'file';
}

function corruptBytes(bytes: Buffer = Buffer.alloc(0), { corruption, nth }: UploadPlan): Buffer {
  switch (corruption) {
    case 'none':
      return bytes;
    case 'cut':
      return bytes.subarray(0, nth % Math.max(1, bytes.length));
    case 'altered':
      return alterBytes(bytes, nth);
    case 'twice':
      return Buffer.concat([bytes, bytes]);
    case 'reversed':
      return Buffer.concat([bytes.subarray(0, 12), Buffer.from(bytes.subarray(12)).reverse()]);
  }
}
