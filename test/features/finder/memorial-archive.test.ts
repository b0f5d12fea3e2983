import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { createMemorialArchive } from '../../../src/features/finder/memorial-archive/memorial-archive.ts';
import { GUEST_BOOK_ENTRY } from '../../../src/features/memory-tags/guest-book-content.ts';
import { findMemoryTag } from '../../../src/features/memory-tags/memory-tag.repository.ts';
import type { RequestContext } from '../../../src/platform/request-context.ts';
import { toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { generateId } from '../../../src/shared/ids.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../browser.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { queryDatabase } from '../identity/accounts/helper.ts';
import { collectAuditActions } from '../memory-tags/audit-helper.ts';
import { createGalleryClient } from '../memory-tags/gallery-helper.ts';
import { fetchBytes, readZip } from '../personal-data/helper.ts';

t.test('exports a memory tag as a page and as JSON, which need no network', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, services, database } = test;
  const ada = await createUser();
  const { accessToken: token } = ada;
  await call('PUT', `/api/auth/profile/${ada.id}`, { token, body: { language: 'de' } });
  const life = {
    name: 'Katharina <Brandt>',
    subject: 'PERSON',
    bornOn: '1931-05',
    diedOn: '2024',
    epitaph: 'She planted trees.',
    story: 'Teacher & gardener.\n\nشكرا',
    places: [{ label: 'Königsberg', kind: 'BIRTH', latitude: 54.7104, longitude: 20.4522 }],
  };
  const { id } = (await call('POST', '/api/memory-tags', { token, body: life })).body;
  const write = async (n: number, state: string) => {
    const row = { id: generateId(), accountId: ada.id, createdAt: new Date(1e12 + n * 1000) };
    const content = GUEST_BOOK_ENTRY.encrypt(services.fieldCipher, row, {
      name: n % 2 ? 'Eva' : null,
      message: `${state} ${n}.`,
    });
    const decidedAt = state === 'PENDING' ? null : new Date();
    await database.client.guestBookEntry.create({
      data: { ...row, memoryTagId: id, content, state, decidedAt },
    });
    return row.id;
  };
  await write(0, 'PENDING');
  await write(1, 'HIDDEN');
  for (let n = 2; n < 132; n += 1) await write(n, 'APPROVED');

  const path = `/api/memory-tags/${id}/export`;
  const fetched: Awaited<ReturnType<typeof fetchBytes>>[] = [];
  const trail = await collectAuditActions(test, async () =>
    fetched.push(await fetchBytes(test, path, token)),
  );
  t.same(trail, ['MEMORY_TAG_EXPORTED']);
  const [answer] = fetched;
  if (!answer) throw new Error('no answer');
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  t.match(answer.headers, {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="memory-tag-${id}.zip"`,
    'cache-control': 'no-store',
  });
  const files = await readZip(answer.bytes);
  t.same([...files.keys()], ['index.html', 'memory-tag.json']);
  const page = String(files.get('index.html'));
  t.match(page, '<html lang="de" dir="ltr">');
  t.match(page, '<h1>Katharina &#60;Brandt&#62;</h1>');
  t.match(page, 'Mai 1931');
  t.match(page, 'Geburtsort: <bdi>Königsberg</bdi> <bdi>(54.7104, 20.4522)</bdi>');
  t.match(page, 'Teacher &#38; gardener.\n\nشكرا');
  t.equal(page.match(/APPROVED \d+\./g)?.length, 130);
  t.notMatch(page, /PENDING|HIDDEN/);
  t.notMatch(
    page,
    /<(?:script|link|img|iframe|object|form|base)\b|\s(?:href|src|action)=|url\(|@import|https?:/i,
  );
  t.match(page, 'content="default-src &#39;none&#39;');
  t.ok(page.trimEnd().endsWith('</html>'));
  const data = JSON.parse(String(files.get('memory-tag.json')));
  t.match(data, { format: 'memory-tag', version: 1, ...life });
  t.match(data, { guestBook: { length: 130 }, guestBookMissing: 0 });
  t.notMatch(page, 'lesbar');
  t.match(data.guestBook[0], { name: 'Eva', message: 'APPROVED 131.', createdAt: /Z$/ });

  const altered = await write(200, 'APPROVED');
  await queryDatabase(
    test,
    "UPDATE guest_book_entries SET content = content || '\\x00' WHERE id = $1",
    altered,
  );
  const actions = await collectAuditActions(test, async () => {
    const again = await readZip((await fetchBytes(test, path, token)).bytes);
    const left = JSON.parse(String(again.get('memory-tag.json')));
    t.match(left, { guestBook: { length: 130 }, guestBookMissing: 1 });
    t.match(String(again.get('index.html')), '<p class="kind">Ein Eintrag fehlt, weil');
  });
  t.ok(actions.includes('DATA_INTEGRITY_FAILED'));

  const bare = (await call('POST', '/api/memory-tags', { token, body: { name: 'Rex' } })).body;
  const minimalArchive = await readZip(
    (await fetchBytes(test, `/api/memory-tags/${bare.id}/export`, token)).bytes,
  );
  t.match(JSON.parse(String(minimalArchive.get('memory-tag.json'))), {
    name: 'Rex',
    bornOn: null,
    guestBook: [],
  });
  const eve = await createUser();
  t.equal((await call('GET', path, { token: eve.accessToken })).status, 404);

  await t.test('the archive contains the pictures, and its page is readable without a network', async (t) => {
    const { add, list } = createGalleryClient(test, token);
    const hostile = '"><img src=https://example.org/x.png onerror=alert(1)></figure>\u2014\u05d0\u05d1';
    for (const [n, caption] of [hostile, 'second', undefined].entries()) {
      const picture = await createSolidPicture(900 + n, 600)
        .jpeg()
        .toBuffer();
      t.equal((await add(id, picture, caption === undefined ? {} : { caption })).status, 201);
    }
    const archive = await readZip((await fetchBytes(test, path, token)).bytes);
    const names = ['pictures/001.jpg', 'pictures/002.jpg', 'pictures/003.jpg'];
    t.same([...archive.keys()], ['index.html', ...names, 'memory-tag.json']);
    const listedPictures = JSON.parse(String(archive.get('memory-tag.json'))).pictures;
    t.match(listedPictures, [
      { file: names[0], caption: hostile, width: 900, height: 600 },
      { file: names[1], caption: 'second', width: 901 },
      { file: names[2], caption: null, width: 902 },
    ]);
    for (const [n, name] of names.entries()) {
      const facts = await sharp(archive.get(name)).metadata();
      t.match(facts, { format: 'jpeg', width: 900 + n, height: 600 });
    }

    const second = (await list(id))[1]?.id;
    await queryDatabase(
      test,
      "UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now() WHERE id = (SELECT file_id FROM pictures WHERE id = $1)",
      second,
    );
    const fewer = await readZip((await fetchBytes(test, path, token)).bytes);
    t.same([...fewer.keys()], ['index.html', names[0], names[2], 'memory-tag.json']);
    const left = JSON.parse(String(fewer.get('memory-tag.json'))).pictures;
    t.same(
      left.map(({ file }: { file: string | null }) => file),
      [names[0], null, names[2]],
    );

    await t.test('an aborted download leaves no picture open', async (t) => {
      const row = await findMemoryTag(database.client, id);
      if (!row) throw new Error('There is no such tag.');
      const context = { user: null, operation: 'memoryTags.export', requestId: 'test' } as RequestContext;
      const opened: Readable[] = [];
      const open: typeof services.files.open = async (...of) => {
        const storedFile = await services.files.open(...of);
        storedFile?.destroy();
        // More than fits into the buffers between a file and its reader.
        const stream =
          storedFile && Readable.from(Array(64).fill(Buffer.alloc(65_536)), { objectMode: false });
        if (stream) opened.push(stream);
        return stream;
      };
      const watched = { ...services, files: { ...services.files, open } };
      const archive = createMemorialArchive(watched, context, row, toSupportedLocale('en'));
      // Three pictures are read by the page; the fourth is the first file of its own.
      while (!opened[3]?.readableEnded && !archive.destroyed) if (archive.read(1_000) === null) await wait(1);
      for (let tries = 0; tries < 500 && opened.length < 5; tries += 1) {
        archive.read(1_000);
        await wait(5);
      }
      archive.destroy();
      for (let tries = 0; tries < 500 && opened.some(({ closed }) => !closed); tries += 1) await wait(10);
      t.same(
        opened.map(({ closed }) => closed),
        Array(5).fill(true),
      );
    });

    await t.test('opens in a browser', { skip: BROWSER_SKIP_REASON }, async (t) => {
      const folder = t.testdir({ 'index.html': archive.get('index.html') ?? '' });
      const open = await openBrowser(t);
      for (const viewport of [
        { width: 360, height: 740 },
        { width: 1280, height: 800 },
      ]) {
        const page = await open({ viewport, javaScriptEnabled: true, offline: true });
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url().slice(0, 5)));
        await page.goto(pathToFileURL(join(folder, 'index.html')).href);
        t.same(await findAccessibilityViolations(page), []);
        t.equal(await measureHorizontalOverflow(page), 0);
        const imageWidths = await page.evaluate<number[]>(
          '[...document.images].map((image) => image.naturalWidth)',
        );
        t.same(imageWidths, [640, 640, 640]);
        t.match(await page.textContent('figcaption'), hostile);
        t.same(requests, ['file:'], 'the page itself');
        await page.close();
      }
    });
  });
});
