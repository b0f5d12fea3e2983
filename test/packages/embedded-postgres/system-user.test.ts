import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgresBinaries } from '../../../packages/embedded-postgres/src/postgres-binaries.ts';
import {
  assertFolderReachable,
  getPostgresUser,
} from '../../../packages/embedded-postgres/src/system-user.ts';
import { createScratchFolder } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';

const STRANGER = { uid: 64_999, gid: 64_999 };

t.test('reports a folder that the system user cannot access', async (t) => {
  const top = await createScratchFolder(t);
  const inner = join(top, 'closed', 'inner');
  await mkdir(inner, { recursive: true });
  await chmod(top, 0o711);
  await chmod(join(top, 'closed'), 0o711);
  await chmod(inner, 0o711);
  await assertFolderReachable(inner, STRANGER, 'Do this.');
  await chmod(join(top, 'closed'), 0o700);
  await t.rejects(
    assertFolderReachable(inner, STRANGER, 'Do this.'),
    new RegExp(`cannot access ${join(top, 'closed')}, a parent of ${inner}\\. Do this\\.`),
  );
});

t.test('an ordinary user runs PostgreSQL directly, root through a system user', async (t) => {
  const user = await getPostgresUser(join(await createScratchFolder(t), 'postgres'));
  if (process.getuid?.() !== 0) return t.equal(user, undefined);
  t.ok(user !== undefined && user.uid > 0 && user.gid > 0);
});

t.test('the programs come from the package for this machine', async (t) => {
  const { initdb, postgres } = findPostgresBinaries();
  for (const path of [initdb, postgres])
    t.match(path, `@embedded-postgres/${process.platform}-${process.arch}`);
});
