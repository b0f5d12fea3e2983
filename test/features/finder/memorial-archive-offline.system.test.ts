import { spawnSync } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { GUEST_BOOK_ENTRY } from '../../../src/features/memory-tags/guest-book-content.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { BROWSER_SKIP_REASON, measureHorizontalOverflow, openBrowser } from '../../browser.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { queryDatabase } from '../identity/accounts/helper.ts';
import { collectAuditActions } from '../memory-tags/audit-helper.ts';
import { createGalleryClient } from '../memory-tags/gallery-helper.ts';
import { fetchBytes, readZip } from '../personal-data/helper.ts';

/** Breaks out of unescaped markup, or changes the text direction. */
const HOSTILE = [
  '</script><script>document.title="broken"</script>',
  '"><img src=x onerror=document.title="broken">',
  '\' onload=document.title="broken" x=\'',
  '--></style></title><svg onload=document.title="broken">',
  '&lt;b&gt; &#60; %3Cscript%3E $1 {number}',
  'שלום، مرحبا 👩‍👩‍👧 🕊️ é',
].join(' ');

/** Characters, device names and endings that Windows does not allow in file names. */
const NO_NAME_OF_WINDOWS =
  /[<>:"\\|?*\p{Cc}]|[. ](?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)/iu;

/** Programs that verify an archive. */
const CHECKS: readonly [program: string, ...words: string[]][] = [
  ['unzip', '-tq'],
  ['python3', '-m', 'zipfile', '-t'],
];

t.test('an archive works without the service, with any text and any number of pictures', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, services, database, dataDir } = test;
  const ada = await createUser();
  const { accessToken: token } = ada;
  const { add } = createGalleryClient(test, token);
  await call('PUT', `/api/auth/profile/${ada.id}`, { token, body: { language: 'ar' } });
  const archiveOf = async (id: string) => {
    const { bytes } = await fetchBytes(test, `/api/memory-tags/${id}/export`, token);
    const files = await readZip(bytes);
    return { bytes, files, data: JSON.parse(String(files.get('memory-tag.json'))) };
  };
  const tagOf = async (body: object): Promise<string> => {
    const made = await call('POST', '/api/memory-tags', { token, body });
    t.equal(made.status, 201, made.text);
    return made.body.id;
  };

  await t.test('contains a hundred pictures and hostile text in every field', async (t) => {
    const life = {
      name: HOSTILE.slice(0, 200),
      epitaph: HOSTILE,
      story: `${HOSTILE}\n\n${'語🕊️<b>'.repeat(2_000)}`,
      places: [{ label: HOSTILE.slice(0, 200), kind: 'GRAVE' }],
    };
    const id = await tagOf(life);
    const caption = HOSTILE.slice(0, 300);
    for (let n = 0; n < 100; n += 1)
      t.equal(
        (
          await add(
            id,
            await createSolidPicture(40 + n, 30)
              .png()
              .toBuffer(),
            { caption },
          )
        ).status,
        201,
      );
    const row = { id: generateId(), accountId: ada.id, createdAt: new Date(1e12) };
    const content = GUEST_BOOK_ENTRY.encrypt(services.fieldCipher, row, {
      name: HOSTILE.slice(0, 80),
      message: HOSTILE,
    });
    const approved = { ...row, memoryTagId: id, content, state: 'APPROVED', decidedAt: new Date() };
    await database.client.guestBookEntry.create({ data: approved });

    const { bytes, files, data } = await archiveOf(id);
    const names = Array.from({ length: 100 }, (_, n) => `pictures/${String(n + 1).padStart(3, '0')}.jpg`);
    t.same([...files.keys()], ['index.html', ...names, 'memory-tag.json']);
    t.same(
      [...files.keys()].filter((name) => NO_NAME_OF_WINDOWS.test(name)),
      [],
    );
    t.match(data, life);
    t.same(
      data.pictures.map(({ file }: { file: string }) => file),
      names,
    );
    t.equal(data.pictures[99].caption, caption);
    t.match(data.guestBook, [{ name: HOSTILE.slice(0, 80), message: HOSTILE }]);
    t.equal((await sharp(files.get('pictures/100.jpg')).metadata()).width, 139);

    const folder = t.testdir({ 'it.zip': bytes, 'index.html': files.get('index.html') ?? '' });
    for (const [program, ...words] of CHECKS) {
      const { error, status, stdout } = spawnSync(program, [...words, join(folder, 'it.zip')]);
      if (error) continue;
      t.equal(status, 0, program);
      t.notMatch(String(stdout), /corrupt/, program);
    }

    await t.test('opens in a browser without a network', { skip: BROWSER_SKIP_REASON }, async (t) => {
      const openPage = await openBrowser(t);
      const page = await openPage({ offline: true });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url().slice(0, 5)));
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      t.equal(await page.title(), life.name);
      t.equal(await page.textContent('h1'), life.name);
      t.equal(await page.textContent('.epitaph'), life.epitaph);
      t.equal(await page.textContent('section .text'), life.story);
      t.equal(await page.textContent('section li bdi'), life.places[0]?.label);
      t.equal(await page.locator('figcaption').last().textContent(), caption);
      t.equal(await page.textContent('.messages bdi'), HOSTILE.slice(0, 80));
      t.equal(await page.textContent('.messages .text'), HOSTILE);
      t.match(await page.getAttribute('html', 'dir'), 'rtl');
      t.equal(await page.locator('script, svg, [onerror], [onload]').count(), 0);
      const widths = await page.evaluate<number[]>('[...document.images].map((image) => image.naturalWidth)');
      t.same(
        widths,
        names.map((_, n) => 40 + n),
      );
      t.equal(await measureHorizontalOverflow(page), 0);
      t.match((await page.pdf()).subarray(0, 5).toString(), '%PDF-', 'it can be printed');
      t.same(requests, ['file:']);
    });
  });

  await t.test('names unreadable pictures and entries, and contains the rest', async (t) => {
    const id = await tagOf({ name: 'Rex' });
    const noise = { create: { width: 700, height: 700, channels: 3, background: '#888' } } as const;
    const large = await sharp({
      ...noise,
      create: { ...noise.create, noise: { type: 'gaussian', sigma: 80 } },
    })
      .png()
      .toBuffer();
    const before = new Set(await readdir(join(dataDir, 'files'), { recursive: true }));
    t.equal((await add(id, large, { caption: 'Half <of> it' })).status, 201);
    const [path] = (await readdir(join(dataDir, 'files'), { recursive: true })).filter(
      (name) => !before.has(name) && name.length > 3,
    );
    t.equal(
      (await add(id, await createSolidPicture(40, 30).png().toBuffer(), { caption: 'Gone' })).status,
      201,
    );
    t.equal((await add(id, await createSolidPicture(41, 30).png().toBuffer())).status, 201);
    await queryDatabase(
      test,
      "UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now() WHERE id = (SELECT file_id FROM pictures WHERE memory_tag_id = $1 AND position = 2)",
      id,
    );
    const file = await open(join(dataDir, 'files', path ?? ''), 'r+');
    const { size } = await file.stat();
    t.ok(size > 100_000, 'more than one chunk');
    await file.write(Buffer.alloc(16), 0, 16, size - 16);
    await file.close();

    for (const n of [1, 2]) {
      const row = { id: generateId(), accountId: ada.id, createdAt: new Date(1e12 + n) };
      const content = Buffer.from(`altered ${n}`);
      const approved = { ...row, memoryTagId: id, content, state: 'APPROVED', decidedAt: new Date() };
      await database.client.guestBookEntry.create({ data: approved });
    }

    const got: Awaited<ReturnType<typeof archiveOf>>[] = [];
    const trail = await collectAuditActions(test, async () => got.push(await archiveOf(id)));
    t.ok(trail.includes('DATA_INTEGRITY_FAILED'));
    const [archive] = got;
    if (!archive) throw new Error('no archive');
    t.same(archive.data.pictures, [
      { file: 'pictures/001.jpg', damaged: true, caption: 'Half <of> it', width: 700, height: 700 },
      { file: null, caption: 'Gone', width: 40, height: 30 },
      { file: 'pictures/003.jpg', caption: null, width: 41, height: 30 },
    ]);
    t.ok((archive.files.get('pictures/001.jpg')?.length ?? 0) > 60_000, 'the readable part is kept');
    const page = String(archive.files.get('index.html'));
    t.match(page, '<p class="kind">الصورة 1 غير موجودة:');
    t.match(page, '<figcaption>Half &#60;of&#62; it</figcaption>');
    t.match(page, /<p class="kind">الصورة 2 غير موجودة:[^<]*<\/p><figcaption>Gone<\/figcaption>/);
    t.equal(page.match(/<img /g)?.length, 1);
    t.match(page, /<h2>دفتر الزوار<\/h2>\n<p class="kind">كلمتان غير موجودتين:/);
    t.notMatch(page, '<ul class="messages">');
    t.match(archive.data, { guestBook: [], guestBookMissing: 2 });
    t.ok(page.trimEnd().endsWith('</html>'));
  });
});
