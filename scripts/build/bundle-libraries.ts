import { build } from 'esbuild';
import { BUNDLED_LIBRARIES } from './bundled-libraries.ts';

// Some bundled libraries are CommonJS and require modules of Node.
const REQUIRE_BANNER =
  "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);";

/** Replace the files of dist/ that import bundled libraries by bundles. */
export async function bundleLibraries(): Promise<void> {
  await Promise.all(Object.keys(BUNDLED_LIBRARIES).map(bundleFile));
}

async function bundleFile(file: string): Promise<void> {
  await build({
    entryPoints: [`src/${file}`],
    outfile: `dist/${file.replace(/\.ts$/, '.js')}`,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: { js: REQUIRE_BANNER },
    legalComments: 'eof',
    // Replaces the source map that tsc wrote.
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
}
