import { t } from '../../tap.ts';
import { addSubscription, cancelTestSubscription } from '../billing/subscriptions/subscription-helper.ts';
import { createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { createGalleryClient } from '../memory-tags/gallery-helper.ts';
import { startScans } from '../scans/helper.ts';

const DESIGN = { accentColor: '#7A1F5C', sectionOrder: ['DETAILS', 'CONTACTS'] };
const DOG = {
  kind: 'PET',
  title: 'Rex',
  data: { name: 'Rex', species: 'Dog', owner: { name: 'Ada', phone: '+49 170 1234567' } },
  visibility: { owner: 'PUBLIC' },
};

t.test('the page of a code has the color and order of its owner', async (t) => {
  const app = await startScans(t);
  const { call, owner, database } = app;
  const token = owner.accessToken;
  const subscription = await addSubscription(app, owner.id, 'PERSONAL');
  const made = await call('POST', '/api/qrcodes', { token, body: { ...DOG, pageDesign: DESIGN } });
  t.match(made, { status: 201, body: { pageDesign: DESIGN } }, made.text);
  const { id } = made.body;
  const path = `/api/qrcodes/${id}`;
  t.same((await call('GET', path, { token })).body.pageDesign, DESIGN);

  const checkPage = async (what: string, headers: Record<string, string> = {}) => {
    const page = await call('GET', `/s/${id}`, { headers });
    t.match(
      page.text,
      ':root{--act:#7A1F5C}@media screen and (prefers-color-scheme:dark){:root{--act:#',
      what,
    );
    t.match(page.headers['content-security-policy'], /style-src 'sha256-[^']+' 'sha256-[^']+';/, what);
    t.ok(page.text.indexOf('Dog') < page.text.indexOf('tel:'), `${what}: details first`);
  };
  await checkPage('a visit');
  for (let visits = 0; visits < 40; visits += 1) await call('GET', `/s/${id}`);
  await checkPage('above the limit, rendered');
  await checkPage('above the limit, from memory');
  const other = await call('GET', `/s/${await app.code(DOG)}`);
  t.ok(other.text.indexOf('tel:') < other.text.indexOf('Dog'), 'contacts come first by default');
  t.match(other.headers['content-security-policy'], /style-src 'sha256-[^']+';/);

  await t.test('an update merges its members, and null clears', async (t) => {
    const update = async (pageDesign: object | null) =>
      (await call('PUT', path, { token, body: { pageDesign } })).body.pageDesign;
    t.same(await update({ accentColor: null }), { sectionOrder: DESIGN.sectionOrder });
    t.same(await update({ accentColor: '#123456' }), { ...DESIGN, accentColor: '#123456' });
    t.same(await update(null), {});
    t.same(await update(DESIGN), DESIGN);
    await call('PUT', path, { token, body: { title: 'Max' } });
    t.same((await call('GET', path, { token })).body.pageDesign, DESIGN, 'other changes keep it');
  });

  await t.test('shows a cover and a logo that are visible to the visitor', async (t) => {
    const { add } = createGalleryClient(app, token, '/api/qrcodes');
    const picture = await createSolidPicture(300, 100).jpeg().toBuffer();
    const [portrait, cover, logo] = [
      (await add(id, picture, { caption: 'Portrait' })).body,
      (await add(id, picture, { caption: 'Meadow' })).body,
      (await add(id, picture, { caption: 'Club' })).body,
    ];
    const pageDesign = { ...DESIGN, coverPictureId: cover.id, logoPictureId: logo.id };
    const changed = await call('PUT', path, { token, body: { pageDesign } });
    t.match(changed, { status: 200, body: { pageDesign } }, changed.text);
    const { text } = await call('GET', `/s/${id}`);
    const listImages = (markup: string) =>
      [...markup.matchAll(/<img (?:class="(\w+)" )?src="[^"]*\/pictures\/(\w+)/g)].map(([, name, file]) => [
        name,
        file,
      ]);
    t.same(listImages(text), [
      ['cover', cover.id],
      [undefined, portrait.id],
      ['logo', logo.id],
    ]);
    t.match(text, `property="og:image" content="https://qr.example.org/s/${id}/pictures/${cover.id}`);

    const other = await call('POST', '/api/qrcodes', { token, body: DOG });
    for (const unknown of ['coverPictureId', 'logoPictureId']) {
      const refused = {
        status: 400,
        body: { errors: [{ field: `pageDesign.${unknown}`, code: 'UNKNOWN' }] },
      };
      const body = { pageDesign: { [unknown]: cover.id } };
      t.match(await call('PUT', `/api/qrcodes/${other.body.id}`, { token, body }), refused, 'another code');
      t.match(
        await call('POST', '/api/qrcodes', { token, body: { ...DOG, ...body } }),
        refused,
        'a new code',
      );
    }
    await call('PUT', path, { token, body: { visibility: { pictures: 'PRIVATE' } } });
    t.same(listImages((await call('GET', `/s/${id}`)).text), [], 'hidden as the other pictures are');
    await call('PUT', path, { token, body: { visibility: { pictures: 'PUBLIC' } } });
    await call('DELETE', cover.url, { token });
    const renamed = await call('PUT', path, { token, body: { pageDesign: { accentColor: '#123456' } } });
    t.equal(renamed.status, 200, 'a deleted picture prevents no other change');
    t.same(listImages((await call('GET', `/s/${id}`)).text), [
      [undefined, portrait.id],
      ['logo', logo.id],
    ]);
    await call('PUT', path, {
      token,
      body: { pageDesign: { ...DESIGN, coverPictureId: null, logoPictureId: null } },
    });
  });

  await t.test('names every invalid member', async (t) => {
    for (const [pageDesign, field, code] of [
      [{ accentColor: '#ffd400' }, 'pageDesign.accentColor', 'LOW_CONTRAST'],
      [{ accentColor: 'red' }, 'pageDesign.accentColor', 'BAD_FORMAT'],
      [{ accentColor: '#123456;}' }, 'pageDesign.accentColor', 'BAD_FORMAT'],
      [{ sectionOrder: ['DETAILS', 'HEADER'] }, 'pageDesign.sectionOrder[1]', 'NOT_ALLOWED'],
      [{ sectionOrder: ['DETAILS', 'DETAILS'] }, 'pageDesign.sectionOrder', 'NOT_UNIQUE'],
      [{ coverPictureId: 'x' }, 'pageDesign.coverPictureId', 'BAD_FORMAT'],
      [{ color: '#123456' }, 'pageDesign.color', 'UNKNOWN_FIELD'],
    ] as const) {
      const what = JSON.stringify(pageDesign);
      for (const answer of [
        await call('PUT', path, { token, body: { pageDesign } }),
        await call('POST', '/api/qrcodes', { token, body: { ...DOG, pageDesign } }),
      ])
        t.match(answer, { status: 400, body: { errors: [{ field, code }] } }, `${what}: ${answer.text}`);
    }
  });

  await t.test('needs a package with the feature, and stays when it ends', async (t) => {
    await cancelTestSubscription(app, subscription);
    const personal = await database.client.subscriptionPackage.findUnique({ where: { code: 'PERSONAL' } });
    const problem = {
      status: 403,
      body: {
        code: 'PLAN_LIMIT_REACHED',
        limit: 'PAGE_DESIGN',
        largerPackage: { id: personal?.id, code: 'PERSONAL' },
      },
    };
    const refused = await call('POST', '/api/qrcodes', { token, body: { ...DOG, pageDesign: DESIGN } });
    t.match(refused, problem);
    const changed = { pageDesign: { accentColor: '#123456' } };
    t.match(await call('PUT', path, { token, body: changed }), problem);
    t.equal((await call('PUT', path, { token, body: { pageDesign: DESIGN } })).status, 200, 'unchanged');
    t.same((await call('GET', path, { token })).body.pageDesign, DESIGN);
    t.equal((await call('PUT', path, { token, body: { pageDesign: null } })).status, 200, 'clearing is free');
    const plain = await call('POST', '/api/qrcodes', { token, body: { ...DOG, pageDesign: {} } });
    t.equal(plain.status, 201);
  });
});

t.test('without billing every code can have a design of its page', async (t) => {
  const { call, owner } = await startScans(t, { BILLING: 'off' });
  const body = { ...DOG, pageDesign: DESIGN };
  const made = await call('POST', '/api/qrcodes', { token: owner.accessToken, body });
  t.match(made, { status: 201, body: { pageDesign: DESIGN } });
});
