import {
  chooseRenditionWidth,
  getPictureSizeAtWidth,
  negotiateRenditionFormat,
  RENDITION_WIDTHS,
} from '../../../../src/features/files/pictures/rendition.rules.ts';
import { t } from '../../../tap.ts';

t.test('negotiates the format, JPEG by default', async (t) => {
  const cases: [string | undefined, string][] = [
    [undefined, 'jpeg'],
    ['', 'jpeg'],
    ['*/*', 'jpeg'],
    ['image/*', 'jpeg'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
    ['image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/*;q=0.8,*/*;q=0.5', 'webp'],
    ['image/webp,*/*', 'webp'],
    ['image/avif;q=0.5,image/webp;q=0.9,image/jpeg;q=0.7', 'webp'],
    ['image/avif;q=0.5,*/*', 'jpeg'],
    ['image/jpeg;q=0,image/*', 'webp'],
    ['image/jpeg;q=0,image/webp;q=0,*/*;q=0.1', 'avif'],
    ['IMAGE/AVIF', 'avif'],
    ['text/html', 'jpeg'],
    ['application/json', 'jpeg'],
    ['image/avif;q=0', 'jpeg'],
    ['image/avif;q=nonsense', 'jpeg'],
    [';;;,,,q=1', 'jpeg'],
  ];
  for (const [accept, format] of cases) t.equal(negotiateRenditionFormat(accept), format, String(accept));
});

t.test('a small picture is not enlarged and not drawn twice', async (t) => {
  const made = (pictureWidth: number) =>
    RENDITION_WIDTHS.map((width) => chooseRenditionWidth(width, pictureWidth));
  t.same(made(10), [320, 320, 320, 320]);
  t.same(made(320), [320, 320, 320, 320]);
  t.same(made(500), [320, 640, 640, 640]);
  t.same(made(640), [320, 640, 640, 640]);
  t.same(made(641), [320, 640, 1_280, 1_280]);
  t.same(made(9_000), [320, 640, 1_280, 2_048]);
  t.same(getPictureSizeAtWidth(320, { width: 4_096, height: 1 }), { width: 320, height: 1 });
  t.same(getPictureSizeAtWidth(640, { width: 500, height: 700 }), { width: 500, height: 700 });
  t.same(getPictureSizeAtWidth(640, { width: 4_000, height: 3_000 }), { width: 640, height: 480 });
});
