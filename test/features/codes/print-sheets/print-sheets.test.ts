import { cleanUpPrintSheets } from '../../../../src/features/codes/print-sheets/clean-up-print-sheets.use-case.ts';
import { createLabelDrawing } from '../../../../src/features/codes/print-sheets/label-drawing.ts';
import { LABEL_TEMPLATES } from '../../../../src/features/codes/print-sheets/label-templates.ts';
import { createMakePrintSheetJob } from '../../../../src/features/codes/print-sheets/make-print-sheet.job.ts';
import { generateAbsentId, startTestApp, type TestApp, type TestUser } from '../../../helper.ts';
import { readPdfLines } from '../../../platform/pdf/read-pdf.ts';
import { t } from '../../../tap.ts';
import { createTestCode, listAuditActions, listErrorFields } from '../code-helper.ts';
import { decodeLabels } from './decode-labels.ts';
import {
  downloadPdf,
  getPrintSheet,
  insertCodes,
  requestPrintSheet,
  waitForPrintSheet,
} from './print-sheet-helper.ts';

const NO_LIMITS = { BILLING: 'off' };

const getTemplate = (id: string) => {
  const found = LABEL_TEMPLATES.find((template) => template.id === id);
  if (!found) throw new Error(id);
  return found;
};

const countFiles = (app: TestApp) => app.database.client.storedFile.count({ where: { state: 'STORED' } });

/** Stop the jobs, so that the test runs the one of a print sheet itself. */
async function startWithoutJobs(t: Parameters<typeof startTestApp>[0]) {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const ids = await insertCodes(app, user, 250);
  await app.services.jobs.stop();
  const { body } = await requestPrintSheet(app, user, { ids, template: 'avery-l7160' });
  return { app, user, ids, id: String(body.id), payload: { accountId: user.id, printSheetId: body.id } };
}

t.test('labels of a filtered list are decoded in its order, and their texts are read', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [user, other] = [await app.createUser(), await app.createUser()];
  await insertCodes(app, user, 130);
  await createTestCode(app, user, { title: 'Not printed' });
  const requested = await requestPrintSheet(app, user, {
    filter: { search: 'Tag', sort: 'title' },
    template: 'avery-l7160',
    texts: ['TITLE', 'EXTERNAL_ID', 'FOUND'],
    startCell: 3,
  });
  t.match(requested, { status: 202, body: { status: 'WAITING', codes: 130, contentUrl: null } });
  t.equal(requested.headers.location, `/api/print-sheets/${requested.body.id}`);
  const done = await waitForPrintSheet(app, user, requested);
  t.match(done, { status: 'READY', processed: 130, labels: 130, pages: 7, decoded: 130, failure: null });
  t.match(done, { leftOut: [], leftOutCount: 0 });
  t.ok(Date.parse(done.expiresAt) > Date.parse(done.finishedAt));
  const pdf = await downloadPdf(app, user, done.id);
  t.equal(pdf.length, done.size);
  const { body: list } = await app.call('GET', '/api/qrcodes?search=Tag&sort=title&limit=100', {
    token: user.accessToken,
  });
  const scanUrls = list.data.map(({ scanUrl }: { scanUrl: string }) => scanUrl);
  const decoded = (await decodeLabels(pdf, getTemplate('avery-l7160'))).flat();
  t.same(decoded.slice(0, 2), [null, null]);
  t.same(decoded.slice(2, 102), scanUrls);
  t.equal(new Set(decoded.slice(2, 132)).size, 130);
  const text = readPdfLines(pdf)
    .map((line) => line.join(''))
    .join('\n');
  for (const expected of ['Tag 0129', 'tag-129', 'Found me?']) t.ok(text.includes(expected), expected);
  t.notOk(text.includes('…'), 'no text is truncated');

  const call = (method: string, url: string, { accessToken: token }: TestUser) =>
    app.call(method, url, { token });
  t.match((await call('GET', '/api/print-sheets', user)).body, { data: [{ id: done.id }], pagination: {} });
  t.same((await call('GET', '/api/print-sheets', other)).body.data, []);
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/content'],
    ['DELETE', ''],
  ] as const)
    t.equal((await call(method, `/api/print-sheets/${done.id}${path}`, other)).status, 404);
  t.equal((await call('DELETE', `/api/print-sheets/${done.id}`, user)).status, 200);
  t.equal((await call('GET', `/api/print-sheets/${done.id}`, user)).status, 404);
  t.equal(await countFiles(app), 0);
  const actions = (await listAuditActions(app)).map(({ action }) => action);
  t.same(
    actions.filter((action) => action.startsWith('PRINT_SHEET')),
    ['PRINT_SHEET_REQUESTED', 'PRINT_SHEET_CREATED', 'PRINT_SHEET_DOWNLOADED', 'PRINT_SHEET_DELETED'],
  );
});

t.test('codes that cannot be printed are left out with the reason', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const mine = await createTestCode(app, user, { metadata: { floor: 'B 12' } });
  const deleted = await createTestCode(app, user);
  const foreign = await createTestCode(app, other, { title: 'Foreign' });
  const dense = await createTestCode(app, user, {
    kind: 'TEXT',
    mode: 'STATIC',
    data: { text: 'x'.repeat(900) },
  });
  const small = await createTestCode(app, user, { kind: 'TEXT', mode: 'STATIC', data: { text: 'A 17' } });
  await app.call('DELETE', `/api/qrcodes/${deleted.id}`, { token: user.accessToken });
  const absent = generateAbsentId();
  const ids = [dense.id, mine.id, foreign.id, deleted.id, absent, small.id, mine.id];
  const requested = await requestPrintSheet(app, user, {
    ids,
    template: 'avery-l7651',
    texts: ['METADATA', 'SHORT_NUMBER'],
    metadataKey: 'floor',
  });
  const done = await waitForPrintSheet(app, user, requested);
  t.match(done, { codes: 6, labels: 2, pages: 1, leftOutCount: 4 });
  t.same(
    new Set(done.leftOut.map(({ id, category }: { id: string; category: string }) => `${id} ${category}`)),
    new Set([
      `${foreign.id} NOT_FOUND`,
      `${absent} NOT_FOUND`,
      `${deleted.id} DELETED`,
      `${dense.id} LABEL_TOO_SMALL`,
    ]),
  );
  const pdf = await downloadPdf(app, user, done.id);
  const [page] = await decodeLabels(pdf, getTemplate('avery-l7651'));
  t.same(page?.filter(Boolean), [mine.scanUrl, 'A 17']);
  const text = readPdfLines(pdf).flat().join('');
  t.match(text, 'B 12');
  // A wide one takes two lines, which break between its groups.
  for (const group of mine.shortNumber.split('-')) t.match(text, group);
  t.notMatch(text, 'Foreign');
});

t.test('wrong requests are refused, each at its field', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const { id } = await createTestCode(app, user);
  const custom = {
    page: { width: 100, height: 50 },
    ...{ columns: 2, rows: 1, left: 0, top: 0, pitchX: 50, pitchY: 0, width: 50, height: 50 },
  };
  const template = 'avery-l7160';
  const cases: readonly (readonly [body: object, errors: string[]])[] = [
    [{}, ['ids REQUIRED', 'template REQUIRED']],
    [{ ids: [id], filter: {}, template, custom }, ['custom NOT_ALLOWED', 'filter NOT_ALLOWED']],
    [{ ids: [id], template: 'unknown' }, ['template NOT_ALLOWED']],
    [{ ids: [id], template, startCell: 22 }, ['startCell OUT_OF_RANGE']],
    [{ ids: [id], template, texts: ['METADATA'] }, ['metadataKey REQUIRED']],
    [{ ids: [id], template, background: '#222222' }, ['background LOW_CONTRAST']],
    [{ filter: { search: 'nothing like it' }, template }, ['filter NO_CODES']],
    [{ filter: { kind: ['DRAGON'] }, template }, ['filter.kind NOT_ALLOWED']],
    [{ ids: [id], custom: { ...custom, columns: 3 } }, ['custom.columns OUT_OF_RANGE']],
    [{ ids: [id], custom: { ...custom, pitchX: 40 } }, ['custom.pitchX OUT_OF_RANGE']],
    [{ ids: [id], custom: { ...custom, rows: 2 } }, ['custom.pitchY OUT_OF_RANGE']],
    [{ ids: [id], custom: { ...custom, width: 8, height: 8 } }, ['custom LABEL_TOO_SMALL']],
    [{ ids: [id], template: 'avery-l4731rev', errorCorrection: 'H' }, ['template LABEL_TOO_SMALL']],
  ];
  for (const [body, errors] of cases) {
    const answer = await requestPrintSheet(app, user, body);
    t.equal(answer.status, 400, answer.text);
    t.same(listErrorFields(answer), errors);
  }
  t.equal(await app.database.client.printSheet.count(), 0);
  const done = await waitForPrintSheet(app, user, await requestPrintSheet(app, user, { ids: [id], custom }));
  t.match(done, { template: null, labels: 1 });
});

t.test(
  'a label that cannot be decoded fails the sheet at once, with the code and what to change',
  async (t) => {
    const app = await startTestApp(t, NO_LIMITS);
    const user = await app.createUser();
    const ids = await insertCodes(app, user, 3);
    const page = { width: 60, height: 60 };
    const custom = {
      page,
      columns: 2,
      rows: 2,
      left: 0,
      top: 0,
      pitchX: 30,
      pitchY: 30,
      width: 30,
      height: 30,
    };
    const options = { ids, custom };
    const moved = await requestPrintSheet(app, user, { ...options, offset: { x: -10, y: 0 } });
    t.match(await waitForPrintSheet(app, user, moved), {
      status: 'FAILED',
      labels: 3,
      decoded: 0,
      contentUrl: null,
      failure: {
        qrCodeId: ids[0],
        page: 1,
        label: 1,
        advice: ['SMALLER_OFFSET'],
        message:
          'The code could not be decoded from its label (page 1, label 1) at 300 dpi. Choose a smaller offset.',
      },
    });
    t.equal((await app.database.client.printSheet.findFirstOrThrow()).attempts, 1);
    t.equal(await countFiles(app), 0);
    const corrected = await requestPrintSheet(app, user, { ...options, offset: { x: 1, y: 0 } });
    t.match(await waitForPrintSheet(app, user, corrected), { status: 'READY', decoded: 3, failure: null });
  },
);

t.test('requests at the same time are counted, and a repeated key begins no other', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const { id } = await createTestCode(app, user);
  await app.services.jobs.stop();
  const body = { ids: [id], template: 'avery-5160' };
  const headers = { 'idempotency-key': 'sheet-4f2c9a1e7d3b' };
  const first = await requestPrintSheet(app, user, body, headers);
  const repeated = await requestPrintSheet(app, user, body, headers);
  t.match(repeated, { status: 202, body: { id: first.body.id } });
  t.equal(repeated.headers['idempotency-replayed'], 'true');
  const others = await Promise.all([1, 2, 3, 4].map(() => requestPrintSheet(app, user, body)));
  t.same(others.map(({ status }) => status).toSorted(), [202, 202, 409, 409]);
  t.match(others.find(({ status }) => status === 409)?.body, { code: 'TOO_MANY_PRINT_SHEETS' });
  const content = await app.call('GET', `/api/print-sheets/${first.body.id}/content`, {
    token: user.accessToken,
  });
  t.match(content, { status: 409, body: { code: 'PRINT_SHEET_NOT_READY' } });

  await app.database.client.printSheet.deleteMany();
  await app.database.client.printSheet.createMany({
    data: Array.from({ length: 20 }, (_, index) => ({
      accountId: user.id,
      id: String(index).padStart(24, '0'),
      ...{ status: 'FAILED', options: {}, codeIds: [], codes: 1, requestId: 'r' },
      ...{ finishedAt: new Date(), expiresAt: new Date(Date.now() + 60_000) },
    })),
  });
  t.equal((await requestPrintSheet(app, user, body)).body.code, 'TOO_MANY_PRINT_SHEETS');
});

t.test('a day has a limit of labels', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const { id } = await createTestCode(app, user);
  await app.services.jobs.stop();
  t.equal((await requestPrintSheet(app, user, { ids: [id], template: 'avery-5160' })).status, 202);
  await app.database.pool.query("UPDATE attempt_budgets SET used = 50000 WHERE key LIKE 'print-sheet:%'");
  const refused = await requestPrintSheet(app, user, { ids: [id], template: 'avery-5160' });
  t.match(refused, { status: 429, body: { code: 'RATE_LIMITED' } });
});

t.test('a job after a killed one draws all labels, and leaves one file', async (t) => {
  const { app, user, id, payload } = await startWithoutJobs(t);
  let endKilled = () => {};
  const killed = createMakePrintSheetJob(app.services, () => {
    const drawing = createLabelDrawing();
    let batches = 0;
    return {
      ...drawing,
      run(task) {
        if (task.step === 'ADD') batches += 1;
        // The process ends without an error.
        if (batches < 2) return drawing.run(task);
        return new Promise((_resolve, reject) => {
          endKilled = () => reject(new Error('killed'));
        });
      },
    };
  });
  const ended = killed(payload);
  for (;;) {
    if ((await getPrintSheet(app, user, id)).processed === 100) break;
    await new Promise((done) => setTimeout(done, 20));
  }
  const left = await app.database.client.printSheet.findFirstOrThrow();
  t.equal(left.attempts, 1);
  await createMakePrintSheetJob(app.services)(payload);
  t.match(await getPrintSheet(app, user, id), { status: 'READY', processed: 250, labels: 250, pages: 12 });
  t.equal(await countFiles(app), 1);
  const pages = await decodeLabels(await downloadPdf(app, user, id), getTemplate('avery-l7160'));
  t.equal(new Set(pages.flat().filter(Boolean)).size, 250);
  const file = await app.database.client.storedFile.findUniqueOrThrow({ where: { id: left.fileId ?? '' } });
  t.equal(file.state, 'REMOVED');
  endKilled();
  await ended;
  t.equal(await countFiles(app), 1);
});

t.test('a print sheet that is deleted while it is drawn leaves no file', async (t) => {
  const { app, user, id, payload } = await startWithoutJobs(t);
  const work = createMakePrintSheetJob(app.services, () => {
    const drawing = createLabelDrawing();
    return {
      ...drawing,
      async run(task) {
        const result = await drawing.run(task);
        if (task.step === 'ADD')
          await app.call('DELETE', `/api/print-sheets/${id}`, { token: user.accessToken });
        return result;
      },
    };
  });
  await work(payload);
  t.equal(await app.database.client.printSheet.count(), 0);
  t.equal(await countFiles(app), 0);
  await createMakePrintSheetJob(app.services)(payload);
});

t.test(
  'a print sheet fails after four attempts, and when its job is lost; it expires with its file',
  async (t) => {
    const { app, user, id, payload } = await startWithoutJobs(t);
    const broken = createMakePrintSheetJob(app.services, () => ({
      run: () => Promise.reject(new Error('broken')),
      close: async () => {},
    }));
    for (let attempt = 1; attempt < 4; attempt += 1)
      await t.rejects(async () => broken(payload), { message: 'broken' });
    await broken(payload);
    t.match(await getPrintSheet(app, user, id), { status: 'FAILED', contentUrl: null });

    const { body } = await requestPrintSheet(app, user, { filter: {}, template: 'avery-l7160' });
    await cleanUpPrintSheets(app.services);
    t.match(await getPrintSheet(app, user, body.id), { status: 'WAITING' });
    await createMakePrintSheetJob(app.services)({ accountId: user.id, printSheetId: body.id });
    t.equal(await countFiles(app), 1);
    const lost = (await requestPrintSheet(app, user, { filter: {}, template: 'avery-l7160' })).body;
    await app.database.pool.query("DELETE FROM pgboss.job WHERE name = 'make-print-sheet'");
    await cleanUpPrintSheets(app.services);
    t.match(await getPrintSheet(app, user, lost.id), { status: 'FAILED' });
    await app.database.client.printSheet.updateMany({ data: { expiresAt: new Date() } });
    await cleanUpPrintSheets(app.services);
    t.equal(await app.database.client.printSheet.count(), 0);
    t.equal(await countFiles(app), 0);
  },
);

t.test('templates are listed with their measures', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token } = await app.createUser();
  const { body } = await app.call('GET', '/api/print-sheets/templates', { token });
  t.equal(body.data.length, LABEL_TEMPLATES.length);
  const l7160 = body.data.find(({ id }: { id: string }) => id === 'avery-l7160');
  t.match(l7160, {
    labelsPerPage: 21,
    group: 'A4',
    page: { width: 210, height: 297 },
    equivalents: ['J8160'],
  });
});
