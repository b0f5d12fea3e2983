import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Compile each package of packages/ from src/ to dist/, which its exports name. */
export async function buildPackages(): Promise<void> {
  const names = await readdir('packages');
  await Promise.all(names.map((name) => buildPackage(join('packages', name))));
}

async function buildPackage(folder: string): Promise<void> {
  const outdir = join(folder, 'dist');
  // Files of before have other names, which follow their content.
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [join(folder, 'src', 'index.ts')],
    outdir,
    bundle: true,
    // What is imported dynamically stays a file of its own, loaded on first use.
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
  });
}
