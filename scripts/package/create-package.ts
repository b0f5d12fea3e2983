import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Lock, type Manifest, toProductionLock, toProductionManifest } from './production-manifest.ts';

const run = promisify(execFile);

/** What the service reads, and what operators use. */
export const PACKAGE_CONTENTS = [
  'dist',
  'locales',
  'scripts/run-built.mjs',
  'prisma/migrations',
  'deploy',
  'docs/operations',
  'docs/reference',
  '.env.example',
  'CHANGELOG.md',
  'LICENSE',
];

/** Write the archive of the built service into a folder. Return its path. */
export async function createPackage(folder: string): Promise<string> {
  const manifest: Manifest = JSON.parse(await readFile('package.json', 'utf8'));
  const lock: Lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const name = `${manifest.name}-${manifest.version}`;
  const scratch = await mkdtemp(join(tmpdir(), 'qr-package-'));
  try {
    const content = join(scratch, name);
    await mkdir(content);
    // The service runs without --enable-source-maps.
    for (const path of PACKAGE_CONTENTS)
      await cp(path, join(content, path), { recursive: true, filter: (file) => !file.endsWith('.map') });
    await writeJson(join(content, 'package.json'), toProductionManifest(manifest, lock));
    await writeJson(join(content, 'package-lock.json'), toProductionLock(lock));
    const archive = join(folder, `${name}.tar.gz`);
    await run('tar', ['-czf', archive, '-C', scratch, name]);
    return archive;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
