import { parseQrCodeKind } from '../../../src/features/codes/kinds/all-kinds.ts';
import { describeQrCodeKinds } from '../../../src/features/codes/kinds/describe-kinds.ts';
import { createStaticQrCodeContent } from '../../../src/features/codes/qrcode-input.rules.ts';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { PHONE_USER_AGENT, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createPetBody,
  createQrCodeClient,
  createTestCode,
  dumpAllRows,
  fetchImage,
  listAuditActions,
  listErrorFields,
  listImagesOnDisk,
  listOrphanedImages,
} from './code-helper.ts';

const RANDOM_SLUG = new Set(['MEDICAL', 'IDENTIFICATION', 'DOCUMENT']);

t.test('creates a code of each kind and mode from the example and from the smallest body', async (t) => {
  const app = await startTestApp(t);
  // 64 codes exceed the 50 of the free package, so two users create them.
  const [one, two] = [await app.createUser(), await app.createUser()];
  for (const { kind, schema, example, defaultVisibility } of describeQrCodeKinds()) {
    const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
    const smallest = Object.fromEntries(required.map((field) => [field, example[field]]));
    for (const [data, user] of [
      [example, one],
      [smallest, two],
    ] as const) {
      for (const mode of ['DYNAMIC', 'STATIC'] as const) {
        const title = `Größe ${kind}`;
        const created = await createQrCodeClient(app, user)('POST', '', { kind, title, mode, data });
        const name = `${kind} ${mode} ${data === example ? 'example' : 'smallest'}`;
        if (!t.equal(created.status, 201, `${name} ${created.text}`)) continue;
        t.equal(created.headers.location, `/api/qrcodes/${created.body.id}`);
        t.match(created.body, {
          kind,
          mode,
          title,
          status: 'ACTIVE',
          accountId: user.id,
          ownerId: user.id,
          version: 1,
          hasPin: false,
        });
        t.match(created.body, {
          scanCount: 0,
          counts: { total: 0, humans: 0, unique: 0 },
          lastScannedAt: null,
        });
        t.same(created.body.data, data, `${name}: data`);
        t.same(Object.keys(created.body.visibility).toSorted(), Object.keys(defaultVisibility).toSorted());
        const isRandom = RANDOM_SLUG.has(kind) || (kind === 'WIFI' && mode === 'STATIC');
        const slug = isRandom ? '[a-z0-9]{12}' : `grosse-${kind.toLowerCase().replace('_', '-')}`;
        const word = kind.toLowerCase().replace('_', '-');
        const shape = `^https://qr\\.example\\.org/uploads/qrcodes/${word}-${slug}-${user.id}-\\d{13}\\.png$`;
        t.match(created.body.imageUrl, new RegExp(shape), name);
        const definition = parseQrCodeKind(kind);
        const code = { title, data: { ...data }, visibility: {} };
        const content =
          mode === 'DYNAMIC'
            ? created.body.scanUrl
            : definition && createStaticQrCodeContent(definition, code);
        t.ok(
          await isQrCodeDecodableAs(await fetchImage(app, created.body), content ?? ''),
          `${name}: the image reads back`,
        );
        t.equal(created.body.scanUrl, `https://qr.example.org/s/${created.body.id}`);
      }
    }
  }
  t.same(await listOrphanedImages(app), []);
});

t.test('accepts a kind in any case, with spaces or hyphens, and a mode in lower case', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  for (const kind of ['memory tag', 'Memory-Tag', 'MEMORY_TAG', ' memoRY  tag ']) {
    const code = await createTestCode(app, user, { kind, mode: 'static' });
    t.match(code, { kind: 'MEMORY_TAG', mode: 'STATIC' });
    t.match(code.imageUrl, /\/memory-tag-rex-/);
  }
  t.match(
    (await createTestCode(app, user, { title: '犬' })).imageUrl,
    /\/pet-code-/,
    'an empty slug is "code"',
  );
});

t.test('names all invalid fields in one error response', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const wrong = {
    title: ' ',
    pin: '123',
    data: { nmae: 'Rex', allergies: [{ severity: 'AWFUL' }] },
    visibility: { adress: 'PRIVATE', name: 'public' },
    design: { foregruond: '#000000', size: 1 },
  };
  const answer = await call('POST', '', createPetBody(wrong));
  t.equal(answer.status, 400);
  t.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  t.same(listErrorFields(answer), [
    'data.allergies[0].name REQUIRED',
    'data.allergies[0].severity NOT_ALLOWED',
    'data.name REQUIRED',
    'data.nmae UNKNOWN_FIELD',
    'design.foregruond UNKNOWN_FIELD',
    'design.size TOO_SMALL',
    'pin BAD_FORMAT',
    'title BAD_FORMAT',
    'visibility.adress UNKNOWN_FIELD',
    'visibility.name NOT_ALLOWED',
  ]);
  t.same(listErrorFields(await call('POST', '', {})), ['data REQUIRED', 'kind REQUIRED', 'title REQUIRED']);
  t.same(listErrorFields(await call('POST', '', createPetBody({ kind: 'CAT' }))), ['kind NOT_ALLOWED']);
  t.same(listErrorFields(await call('POST', '', createPetBody({ expiresAt: '2001-01-01T00:00:00Z' }))), [
    'expiresAt IN_THE_PAST',
  ]);
  t.same(listErrorFields(await call('POST', '', createPetBody({ expiresAt: 'soon' }))), [
    'expiresAt BAD_FORMAT',
  ]);
  t.same(
    listErrorFields(await call('POST', '', createPetBody({ title: '\ufb2c'.repeat(150) }))),
    ['title TOO_LONG'],
    'longer in NFC',
  );
  t.same(listErrorFields(await call('POST', '/render', { kind: 'PET', data: { name: 1 }, format: 'gif' })), [
    'data.name WRONG_TYPE',
    'format NOT_ALLOWED',
  ]);
  t.equal(await dumpAllRows(app), '[]');
  t.same(await listImagesOnDisk(app), []);
});

t.test('rejects invisible and direction-changing characters in texts, but accepts joiners', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const refused = ['Rex\u202egpj', '\u2066Rex\u2069', 'Rex\uffff', 'Rex\u{1fffe}', '\ufeffRex', '\u200bRex'];
  for (const title of [...refused, 'Rex\u0085']) {
    t.same(
      listErrorFields(await call('POST', '', createPetBody({ title }))),
      ['title BAD_FORMAT'],
      encodeURI(title),
    );
    const data = { name: title };
    t.match(
      listErrorFields(await call('POST', '', createPetBody({ data }))),
      [/^data\.name /],
      encodeURI(title),
    );
  }
  t.equal(await dumpAllRows(app), '[]');
  const code = await createTestCode(app, user);
  t.same(listErrorFields(await call('PATCH', `/${code.id}`, { title: refused[0] })), ['title BAD_FORMAT']);
  t.same(listErrorFields(await call('POST', `/${code.id}/lost`, { reward: refused[0] })), [
    'reward BAD_FORMAT',
  ]);
  for (const title of ['می\u200cخواهم', 'क्\u200dष', '🐕‍🦺', '\u200fשלום'])
    t.equal((await createTestCode(app, user, { title })).title, title);
});

t.test('a static code has no PIN and no expiry, and needs a public field to print', async (t) => {
  const app = await startTestApp(t);
  const call = createQrCodeClient(app, await app.createUser());
  const body = createPetBody({ mode: 'STATIC', pin: '1234', expiresAt: '2999-01-01T00:00:00Z' });
  t.same(listErrorFields(await call('POST', '', body)), ['expiresAt NOT_ALLOWED', 'pin NOT_ALLOWED']);
  const hidden = createPetBody({ mode: 'STATIC', visibility: { name: 'PRIVATE' } });
  t.same(listErrorFields(await call('POST', '', hidden)), ['visibility NOTHING_PUBLIC']);
  const long = await call('POST', '', {
    kind: 'TEXT',
    title: 'Long',
    mode: 'STATIC',
    data: { text: 'ä'.repeat(1500) },
  });
  t.match([long.status, long.body.code], [400, 'IMAGE_NOT_SCANNABLE'], 'content too large for an image');
  const printed = await call(
    'POST',
    '',
    createPetBody({
      mode: 'STATIC',
      data: { name: 'Rex', microchip: '276098106234567', reward: '100 EUR' },
      visibility: { reward: 'PRIVATE' },
    }),
  );
  t.ok(
    await isQrCodeDecodableAs(await fetchImage(app, printed.body), 'Pet: Rex'),
    'private fields are not in the image',
  );
});

t.test('an unscannable design is adjusted, or rejected with the reason', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const answer = async (design: unknown) => {
    const { status, body } = await call('POST', '', createPetBody({ design }));
    return [
      status,
      body.code,
      (body.errors ?? []).map((error: { field: string; code: string }) => `${error.field} ${error.code}`),
    ];
  };
  const colours = ['design.foreground', 'design.background'];
  t.same(await answer({ foreground: '#777777', background: '#888888' }), [
    400,
    'IMAGE_NOT_SCANNABLE',
    colours.map((field) => `${field} LOW_CONTRAST`),
  ]);
  t.same(await answer({ foreground: '#ffffff', background: '#000000' }), [
    400,
    'IMAGE_NOT_SCANNABLE',
    colours.map((field) => `${field} INVERTED`),
  ]);
  t.same((await answer({ margin: 0 }))[2], ['design.margin TOO_SMALL']);
  t.same((await answer({ logo: 'data:image/png;base64,AAAA' }))[2], ['design.logo INVALID_IMAGE']);
  t.same(await listImagesOnDisk(app), []);
  const logo = await darkLogo();
  const created = await createTestCode(app, user, {
    design: { foreground: '#102040', logo, logoSize: 30, errorCorrection: 'L' },
  });
  t.not(created.adjusted.length, 0, 'a large logo is adjusted');
  t.match(created.design, { foreground: '#102040', logo: /^data:image\/png;base64,/ });
  t.ok(await isQrCodeDecodableAs(await fetchImage(app, created), created.scanUrl));
  const defaultCode = await createTestCode(app, user, { design: null, visibility: null });
  t.same(defaultCode.adjusted, []);
  t.match(defaultCode.design, { foreground: '#000000', size: 512 });
});

t.test('warns about a scan URL that works locally only, and about a title that is not secret', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'http://localhost:3000' });
  const user = await app.createUser();
  t.same((await createTestCode(app, user)).warnings, ['SCAN_URL_LOCAL']);
  t.same((await createTestCode(app, user, { mode: 'STATIC' })).warnings, []);
  t.same((await createTestCode(app, user, { kind: 'MEDICAL', mode: 'STATIC' })).warnings, [
    'TITLE_NOT_SECRET',
  ]);
});

t.test(
  'an emergency card shows what helps without a PIN, and a card that shows nothing has a warning',
  async (t) => {
    const app = await startTestApp(t);
    const user = await app.createUser();
    const data = {
      name: 'Maria K.',
      bloodType: 'O-',
      allergies: [{ name: 'Penicillin' }],
      sex: 'FEMALE',
      insurance: { company: 'AOK' },
    };
    const warn = ({ warnings }: { warnings: string[] }) => warnings.includes('NOTHING_PUBLIC');
    const card = await createTestCode(app, user, {
      kind: 'MEDICAL',
      data,
      visibilityPreset: 'EMERGENCY',
      visibility: { sex: 'PRIVATE' },
    });
    t.match(card.visibility, {
      bloodType: 'PUBLIC',
      emergencyContacts: 'PUBLIC',
      sex: 'PRIVATE',
      insurance: 'PRIVATE',
    });
    t.notOk(warn(card));
    const page = await app.call('GET', `/s/${card.id}`, { headers: { 'user-agent': PHONE_USER_AGENT } });
    t.match(page.text, 'Penicillin');
    t.notMatch(page.text, /Female|AOK/);

    t.ok(warn(await createTestCode(app, user, { kind: 'MEDICAL', data })), 'the defaults');
    t.ok(
      warn(await createTestCode(app, user, { kind: 'MEDICAL', data, pin: '0047' })),
      'helpers know no PIN',
    );
    t.notOk(
      warn(await createTestCode(app, user, { kind: 'MEDICAL', data, visibility: { allergies: 'PUBLIC' } })),
    );
    t.notOk(warn(await createTestCode(app, user, { data: { name: 'Rex' } })));
    const hidden = { data: { name: 'Rex' }, visibility: { name: 'PRIVATE' } };
    t.ok(warn(await createTestCode(app, user, hidden)));

    const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' }, visibilityPreset: 'EMERGENCY' };
    const refused = await app.call('POST', '/api/qrcodes', { token: user.accessToken, body });
    t.match(refused, { status: 400, body: { errors: [{ field: 'visibilityPreset', code: 'NOT_ALLOWED' }] } });
  },
);

t.test('keys that a client cannot set are dropped', async (t) => {
  const app = await startTestApp(t);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const forged = {
    accountId: other.id,
    userId: other.id,
    id: other.id,
    _id: other.id,
    scanCount: 9,
    createdAt: '2001-01-01T00:00:00Z',
    pinHash: 'x',
    pin_hash: 'x',
    imageFile: '../x.png',
    role: 'ADMIN',
    status: 'LOST',
    slug: 'x',
    version: 7,
  };
  const code = await createTestCode(app, user, forged);
  t.match(code, {
    accountId: user.id,
    scanCount: 0,
    hasPin: false,
    status: 'ACTIVE',
    slug: 'rex',
    version: 1,
  });
  t.not(code.id, other.id);
  t.equal(
    (await createQrCodeClient(app, user)('PUT', `/${code.id}`, forged)).status,
    400,
    'LOST is set by its own route',
  );
  const { status: _, ...rest } = forged;
  const after = await createQrCodeClient(app, user)('PUT', `/${code.id}`, rest);
  t.match(after.body, {
    accountId: user.id,
    scanCount: 0,
    hasPin: false,
    slug: 'rex',
    version: 1,
    imageUrl: code.imageUrl,
  });
});

t.test('markup is stored and returned as sent', async (t) => {
  const app = await startTestApp(t);
  const markup = '<script>alert(1)</script> & "quotes" \' <b>';
  const code = await createTestCode(app, await app.createUser(), {
    title: markup,
    data: { name: markup.slice(0, 40), notes: markup },
  });
  t.match(code, { title: markup, data: { notes: markup }, slug: 'script-alert-1-script-quotes-b' });
});

t.test('a creation is audited once and requires a profile', async (t) => {
  const app = await startTestApp(t);
  const code = await createTestCode(app, await app.createUser());
  t.same(
    (await listAuditActions(app, code.id)).map(({ action, outcome }) => [action, outcome]),
    [['QRCODE_CREATED', 'SUCCESS']],
  );
  const half = await app.createUser({ profile: false });
  const refused = await createQrCodeClient(app, half)('POST', '', createPetBody());
  t.match([refused.status, refused.body.code], [403, 'PROFILE_REQUIRED']);
  t.equal((await createQrCodeClient(app, half)('GET', '')).status, 200);
  t.same(await listOrphanedImages(app), []);
});

async function darkLogo(): Promise<string> {
  const { default: sharp } = await import('sharp');
  const picture = sharp({ create: { width: 200, height: 200, channels: 3, background: '#a01020' } });
  return `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`;
}
