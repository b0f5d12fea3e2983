import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFilesAndRecordFindings } from '../../../src/features/system/file-check/check-files.job.ts';
import {
  checkStoredFileConsistency,
  type FileCheckFinding,
} from '../../../src/features/system/file-check/check-files.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import { runCommand, runCommandInProcess } from '../../commands/run-command.ts';
import { startTestApp, TEST_SECRETS } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestCode, fetchImage, listAuditActions, listImagesOnDisk } from '../codes/code-helper.ts';
import { createProfileForm, createTestPhoto } from '../identity/accounts/helper.ts';

t.test('compares files and file references in both directions', async (t) => {
  const app = await startTestApp(t);
  const { services, database } = app;
  const { uploadsDir, dataDir } = services.config;
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const changed = await app.call('PUT', `/api/auth/profile/${user.id}`, {
    token: user.accessToken,
    ...createProfileForm({}, await createTestPhoto()),
  });
  const picture = new URL(changed.body.profilePictureUrl).pathname.slice('/uploads/'.length);
  await fetchImage(app, code);
  const [image = ''] = await listImagesOnDisk(app);

  const age = async (path: string, hours: number) => {
    const at = new Date(Date.now() - hours * HOUR_MS);
    await utimes(path, at, at);
  };
  const place = async (name: string, hours: number) => {
    await writeFile(join(uploadsDir, name), 'x');
    await age(join(uploadsDir, name), hours);
  };
  const check = async (repair: 'NOTHING' | 'HARMLESS' | 'ALL') => {
    const findings: FileCheckFinding[] = [];
    const signal = new AbortController().signal;
    const run = { repair, onFinding: (one: FileCheckFinding) => findings.push(one), progress: { step() {} } };
    await checkStoredFileConsistency(services, { ...run, signal });
    return findings.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  };
  const owner = new URL(process.env.TEST_OWNER_URL ?? '');
  owner.pathname = new URL(services.config.databaseUrl ?? '').pathname;
  const environment = {
    DATABASE_OWNER_URL: owner.href,
    DATA_DIR: dataDir,
    UPLOADS_DIR: uploadsDir,
    DATABASE_URL: services.config.databaseUrl ?? '',
    PUBLIC_BASE_URL: services.publicBaseUrl,
    ...TEST_SECRETS,
  };

  await t.test('finds nothing where all agrees, and ignores new files', async (t) => {
    for (const file of [picture, `qrcodes/${image}`]) await age(join(uploadsDir, file), 100);
    await writeFile(join(uploadsDir, 'qrcodes', 'pet-young.png'), 'x');
    await place('qrcodes/.pet-young.png.abcd1234.part', 2);
    t.same(await check('ALL'), []);
    t.match(await runCommandInProcess('files-check', environment), {
      code: 0,
      out: '0 problems left, 0 repaired.\n',
    });
  });

  await t.test('finds orphaned, unfinished and missing files', async (t) => {
    const unnamed = 'qrcodes/pet-old.png';
    await place(unnamed, 2);
    const unfinished = 'profile-pictures/.profile-1.png.abcd1234.part';
    await place(unfinished, 25);
    await mkdir(join(dataDir, 'files', 'ab'));
    const begun = 'ab/.abcd.abcd1234.part';
    await writeFile(join(dataDir, 'files', begun), 'x');
    await age(join(dataDir, 'files', begun), 25);
    // Referenced by a pending erasure.
    const erased = 'profile-1700000000000-1.png';
    await place(`profile-pictures/${erased}`, 2);
    const erasure = await database.client.erasure.create({
      data: { id: user.id, userId: user.id, finishedAt: new Date() },
    });
    await database.client.erasedFile.create({
      data: { erasureId: erasure.id, folder: 'profile-pictures', name: erased },
    });
    for (const file of [picture, `qrcodes/${image}`]) await services.publicFiles.remove(file);

    // The image of a code is drawn when it is asked for.
    const missing = [{ problem: 'MISSING', file: picture, id: user.id, isRepaired: false }];
    const left = [
      { problem: 'UNFINISHED', file: begun, id: null, isRepaired: false },
      { problem: 'UNFINISHED', file: unfinished, id: null, isRepaired: false },
      { problem: 'UNNAMED', file: unnamed, id: null, isRepaired: false },
    ];
    const byFile = (a: { file: string }, b: { file: string }) => (a.file < b.file ? -1 : 1);
    t.same(await check('NOTHING'), [...missing, ...left].toSorted(byFile));
    const notified = await runCommand('files-check', environment);
    t.match(notified, { code: 1, out: /^4 problems left, 0 repaired\.$/m });
    t.match(notified.out, `${unnamed}: not referenced\n`);
    t.match(notified.out, `${picture}: missing (referenced by ${user.id})\n`);

    t.match((await checkFilesAndRecordFindings(services)).byProblem, {
      UNNAMED: { repaired: 0, unrepaired: 1 },
      UNFINISHED: { repaired: 2, unrepaired: 0 },
      MISSING: { repaired: 0, unrepaired: 1 },
    });
    t.ok(app.serviceLog.some((line) => line.includes('files: files and database disagree')));
    const repaired = await runCommandInProcess('files-check', environment, '--repair');
    t.match(repaired, { code: 1, out: /^1 problem left, 1 repaired\.$/m }, 'a picture cannot be restored');
    t.notOk((await readdir(join(uploadsDir, 'qrcodes'))).includes('pet-old.png'));
    t.ok((await readdir(join(uploadsDir, 'profile-pictures'))).includes(erased));

    const entries = (await listAuditActions(app)).filter(({ action }) => action === 'FILES_CHECKED');
    t.match(entries, [
      { outcome: 'SUCCESS', changes: [] },
      { outcome: 'FAILURE', changes: ['unnamed', 'unfinished', 'missing'] },
      { outcome: 'FAILURE', changes: ['unnamed', 'unfinished', 'missing'], operation: 'check-files' },
      { outcome: 'FAILURE', changes: ['unnamed', 'missing'], operation: 'files:check' },
    ]);
  });
});
