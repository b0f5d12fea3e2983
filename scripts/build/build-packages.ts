import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

export async function buildPackages(): Promise<void> {
  const names = await readdir('packages');
  await Promise.all(names.map((name) => buildPackage(join('packages', name))));
}

async function buildPackage(folder: string): Promise<void> {
  const outdir = join(folder, 'dist');
  // Names of old chunks contain a hash and would stay.
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [join(folder, 'src', 'index.ts')],
    outdir,
    bundle: true,
    // Dynamic imports stay separate files, loaded lazily.
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
  });
}
