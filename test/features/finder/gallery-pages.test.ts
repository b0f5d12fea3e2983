import sharp from 'sharp';
import { createPictureTicket } from '../../../src/features/codes/visible-pictures.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { generateAbsentId, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createPictureWithMetadata, createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { queryDatabase } from '../identity/accounts/helper.ts';
import { createGalleryClient, fetchPictureBytes } from '../memory-tags/gallery-helper.ts';
import { startScans } from '../scans/helper.ts';
import { createPageContent, renderPage } from './page-helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const STONE = { kind: 'MEMORY_TAG', title: 'Stone', data: { name: 'Erna' } };

const test = await startScans(t);
const { call, code, app, services } = test;
const token = test.owner.accessToken;
const { add } = createGalleryClient(test, token);
await queryDatabase(test, `UPDATE subscription_packages SET limits = limits || '{"memoryTags": null}'`);

async function stone(count: number, body: object = {}) {
  const codeId = await code({ ...STONE, ...body });
  const made = await call('POST', '/api/memory-tags', { token, body: { name: 'Erna', qrCodeId: codeId } });
  const tagId: string = made.body.id;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const added = await add(tagId, await createPictureWithMetadata('jpeg', 640 + index, 480), {
      caption: `Picture <${index}> & "so"`,
    });
    ids.push(added.body.id);
  }
  return { codeId, tagId, ids };
}

const picturesIn = ({ text }: Pick<TestResponse, 'text'>) =>
  [...text.matchAll(/<img src="([^"]+)" width="(\d+)" height="(\d+)" alt="([^"]*)">/g)].map(
    ([, src = '', width, height, alt]) => ({ src: src.replaceAll('&#38;', '&'), width, height, alt }),
  );

const get = (url: string, headers: Record<string, string> = {}) => fetchPictureBytes(app, url, headers);
const statusOf = async (url: string) => (await get(url)).status;

t.test('the page of a memory tag shows its pictures in order, with captions', async (t) => {
  const { codeId, tagId, ids } = await stone(3);
  const page = await call('GET', `/s/${codeId}`);
  t.match(String(page.headers['content-security-policy']), /img-src 'self' data:/);
  const shownPictures = picturesIn(page);
  t.match(shownPictures[0], { src: `/s/${codeId}/pictures/${ids[0]}?w=320`, width: '320', height: '240' });
  const caption = 'Picture &#60;0&#62; &#38; &#34;so&#34;';
  t.equal(shownPictures[0]?.alt, caption);
  t.match(page.text, `</a><span aria-hidden="true">${caption}</span></li>`, 'and it can be read below');
  t.same(
    shownPictures.map(({ src }) => src.split('/').at(-1)?.slice(0, 24)),
    ids,
  );
  t.notMatch(page.text, `/s/${codeId}/pictures?`, 'three pictures need no separate page');
  const picture = await get(shownPictures[0]?.src ?? '', { accept: 'image/avif,image/webp,*/*' });
  t.match(picture, {
    status: 200,
    headers: {
      'content-type': 'image/avif',
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
    },
  });
  t.notOk(picture.bytes.includes('canary') || picture.bytes.includes('GPS'));
  t.match(await sharp(picture.bytes).metadata(), { width: 320, height: 240 });
  const etag = String(picture.headers.etag);
  t.equal(
    (await get(shownPictures[0]?.src ?? '', { accept: 'image/avif', 'if-none-match': etag })).status,
    304,
  );
  const src = `/s/${codeId}/pictures/${ids[0]}`;
  for (const wrong of ['?w=321', '?w=x', '?w=-1']) t.equal(await statusOf(src + wrong), 400, wrong);

  await t.test('serves no other pictures below its path', async (t) => {
    const other = await stone(1);
    for (const url of [
      `/s/${codeId}/pictures/${other.ids[0]}`,
      `/s/${codeId}/pictures/${generateAbsentId()}`,
      `/s/${codeId}/pictures/..%2f..%2fetc`,
      `/s/${generateAbsentId()}/pictures/${ids[0]}`,
      `/s/${generateAbsentId()}/pictures`,
      `/s/nothing/pictures/${ids[0]}`,
      `/s/${await code()}/pictures`,
      `/s/${await code(STONE)}/pictures`,
    ])
      t.equal(await statusOf(url), 404, url);
  });

  await t.test(
    'pictures of a paused, expired, unbound or deleted code are 404 immediately, cached or not',
    async (t) => {
      const change = (body: object) => call('PUT', `/api/qrcodes/${codeId}`, { token, body });
      const bind = (qrCodeId: string | null) =>
        call('PUT', `/api/memory-tags/${tagId}`, { token, body: { qrCodeId } });
      const readCounts = async () => [
        await statusOf(src),
        (await get(src, { 'if-none-match': '*' })).status,
        await statusOf(`/s/${codeId}/pictures`),
      ];
      const open = [200, 304, 200];
      t.same(await readCounts(), open);
      await change({ status: 'PAUSED' });
      t.same(await readCounts(), [404, 404, 404]);
      await change({ status: 'ACTIVE' });
      t.same(await readCounts(), open);
      await change({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
      await queryDatabase(
        test,
        "UPDATE qr_codes SET expires_at = now() - interval '1 second' WHERE id = $1",
        codeId,
      );
      t.same(await readCounts(), [404, 404, 404]);
      await change({ expiresAt: null });
      await bind(null);
      t.same(await readCounts(), [404, 404, 404]);
      await bind(codeId);
      t.same(await readCounts(), open);
      await change({ pin: '4711' });
      t.same(await readCounts(), [404, 404, 404]);
      await change({ pin: null });
      t.same(await readCounts(), open);
      await call('DELETE', `/api/memory-tags/${tagId}/pictures/${ids[0]}`, { token });
      t.same((await readCounts()).slice(0, 2), [404, 404]);
      await call('DELETE', `/api/qrcodes/${codeId}`, { token });
      t.equal(await statusOf(`/s/${codeId}/pictures/${ids[1]}`), 404);
    },
  );
});

/** Create a ticket that was valid three hours ago. */
async function createEndedTicket(codeId: string): Promise<string> {
  const { version } = await test.database.client.qrCode.findUniqueOrThrow({ where: { id: codeId } });
  const { now } = Date;
  Date.now = () => now() - 3 * 60 * 60 * 1000;
  try {
    return createPictureTicket(services.fieldCipher, { id: codeId, version });
  } finally {
    Date.now = now;
  }
}

t.test('pictures behind a PIN are shown after it is entered, until the code changes', async (t) => {
  const { codeId, ids } = await stone(13, { pin: '4711' });
  const closed = await call('GET', `/s/${codeId}`);
  t.same(picturesIn(closed), []);
  t.notMatch(closed.text, ids[0]);
  const visit = /name="visit" value="([^"]+)"/.exec(closed.text)?.[1] ?? '';
  const body = `visit=${visit}&pin=4711`;
  const opened = await call('POST', `/s/${codeId}/pin`, { body, headers: FORM });
  const [first] = picturesIn(opened);
  const src = first?.src ?? '';
  t.match(src, /\?w=320&t=\d+\.[\w-]+$/);
  t.notOk(src.includes(visit.split('.')[0] ?? ''), 'nothing of the visit is in it');
  t.equal(await statusOf(src), 200);
  const all =
    /href="(\/s\/[0-9a-f]+\/pictures\?[^"]+)"/.exec(opened.text)?.[1]?.replaceAll('&#38;', '&') ?? '';
  t.equal((await call('GET', all)).status, 200);
  const bare = src.replace(/&t=.*/, '');
  const ended = await createEndedTicket(codeId);
  for (const wrong of [bare, `${src}x`, `${bare}&t=x`, `${bare}&t=${ended}`, `${bare}&t=`])
    t.equal(await statusOf(wrong), 404, wrong);
  const other = await stone(1, { pin: '4711' });
  t.equal(await statusOf(src.replace(codeId, other.codeId).replace(ids[0] ?? '', other.ids[0] ?? '')), 404);
  await call('PUT', `/api/qrcodes/${codeId}`, { token, body: { pin: '4712' } });
  t.equal(await statusOf(src), 404, 'a new PIN ends the old tickets');
});

t.test(
  'a page with a hundred pictures and the longest captions is below 20 kB in every language',
  async (t) => {
    const { codeId, tagId } = await stone(0);
    const { body } = await add(tagId, await createSolidPicture(700, 500).jpeg().toBuffer());
    const row = await test.database.client.picture.findUniqueOrThrow({ where: { id: body.id } });
    const pictures = Array.from({ length: 100 }, (_, index) => ({
      ...row,
      caption: '<写真>'.repeat(75),
      position: index + 1,
    }));
    for (const tag of LOCALES.keys()) {
      const ticket = createPictureTicket(services.fieldCipher, { id: codeId, version: 1 });
      const gallery = { pictures, address: `/s/${codeId}/pictures`, ticket };
      const text = await renderPage(createPageContent('MEMORY_TAG', { gallery }), tag);
      const pictureCount = picturesIn({ text }).length;
      t.ok(
        Buffer.byteLength(text) < 20_000 && pictureCount > 0 && pictureCount <= 12,
        `${tag}: ${pictureCount}`,
      );
      t.match(text, `/s/${codeId}/pictures?lang=${tag}`);
    }
    await queryDatabase(
      test,
      `INSERT INTO stored_files (id, account_id, name, state, file_key, size, stored_at)
     SELECT lpad(to_hex(n), 24, '0'), $1, lpad(n::text, 32, 'x'), 'STORED', '\\x00', 1, now() FROM generate_series(2, 100) AS n`,
      test.owner.id,
    );
    await queryDatabase(
      test,
      `INSERT INTO pictures (id, memory_tag_id, account_id, file_id, format, width, height, size, position, caption)
     SELECT lpad(to_hex(n), 24, 'a'), $1, $2, lpad(to_hex(n), 24, '0'), 'jpeg', 700, 500, 1, n, CASE WHEN n % 2 = 0 THEN repeat('語', 300) END
     FROM generate_series(2, 100) AS n`,
      ...[tagId, test.owner.id],
    );
    const pictureUrls: string[] = [];
    let next: string | undefined = `/s/${codeId}/pictures`;
    while (next) {
      const page: TestResponse = await call('GET', next);
      t.ok(page.status === 200 && Buffer.byteLength(page.text) < 20_000, next);
      pictureUrls.push(...picturesIn(page).map(({ src }) => src));
      next = /href="([^"]+from=\d+[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&#38;', '&');
    }
    t.equal(new Set(pictureUrls).size, 100, 'each is on one of the pages');
    t.equal(pictureUrls.length, 100);
    for (const from of ['0', '101', 'x'])
      t.equal(await statusOf(`/s/${codeId}/pictures?from=${from}`), 400, from);
  },
);
