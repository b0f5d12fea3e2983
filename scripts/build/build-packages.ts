import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** Packages that run in browsers, too: an import of Node fails their build. */
const PORTABLE_PACKAGES = new Set(['client']);
const PORTABLE: BuildOptions = { platform: 'neutral', target: 'es2022' };
const FOR_NODE: BuildOptions = { platform: 'node', target: 'node20.19' };

export async function buildPackages(): Promise<void> {
  const names = await readdir('packages');
  await Promise.all(
    names.map((name) =>
      buildPackage(join('packages', name), PORTABLE_PACKAGES.has(name) ? PORTABLE : FOR_NODE),
    ),
  );
}

async function buildPackage(folder: string, options: BuildOptions): Promise<void> {
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
    ...options,
    sourcemap: true,
    logLevel: 'warning',
  });
}
