import { parseQrCodeKind, QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import {
  createQrCodeImageFileName,
  createQrCodeSlug,
  toSlug,
} from '../../../src/features/codes/slug.rules.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const FILE_NAME = /^[a-z]+-[a-z0-9-]{0,60}-[0-9a-f]{24}-\d{13}\.png$/;

t.test('a slug is the title in plain letters, digits and hyphens', async (t) => {
  for (const [title, slug] of [
    ['Rex', 'rex'],
    ['  Größe & Łódź -- Ærø!  ', 'grosse-lodz-aero'],
    ['Crème brûlée №5', 'creme-brulee-no5'],
    ['犬', 'code'],
    ['../../etc/passwd', 'etc-passwd'],
    ['', 'code'],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ] as const)
    t.equal(toSlug(title), slug);
});

t.test('any title of any kind gives a file name that can be served', async (t) => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(...QR_CODE_KINDS),
      (title, kind) => {
        if (!/^[a-z0-9-]{1,40}$/.test(toSlug(title))) return false;
        return FILE_NAME.test(createQrCodeImageFileName(kind, toSlug(title), generateId(), new Date()));
      },
    ),
  );
  const [tag] = QR_CODE_KINDS.filter((kind) => kind.kind === 'MEMORY_TAG');
  const name =
    tag && createQrCodeImageFileName(tag, 'code', '65a1b2c3d4e5f60718293a4b', new Date(1_700_000_000_000));
  t.equal(name, 'memory-tag-code-65a1b2c3d4e5f60718293a4b-1700000000000.png');
});

t.test('the file name of a sensitive image reveals nothing and cannot be guessed', async (t) => {
  const slug = (name: string, mode: 'STATIC' | 'DYNAMIC') => {
    const kind = parseQrCodeKind(name);
    return kind && createQrCodeSlug(kind, mode, 'HIV clinic');
  };
  for (const kind of ['MEDICAL', 'IDENTIFICATION', 'DOCUMENT'])
    for (const mode of ['STATIC', 'DYNAMIC'] as const) {
      t.match(slug(kind, mode), /^[a-z0-9]{12}$/);
      t.not(slug(kind, mode), slug(kind, mode));
    }
  t.match(slug('WIFI', 'STATIC'), /^[a-z0-9]{12}$/);
  t.equal(slug('WIFI', 'DYNAMIC'), 'hiv-clinic');
  t.equal(slug('PET', 'STATIC'), 'hiv-clinic');
});
