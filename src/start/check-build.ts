// Imported by scripts/run-built.mjs before a program of dist/: say in a checkout that dist/ is older than a source.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const SOURCES = 'src';

/** Generated before dist/, and again by `npm run dev`. */
const GENERATED = join(SOURCES, 'generated');

/** A production install has no compiler, and may have got its dist/ from elsewhere. */
const COMPILER = join('node_modules', 'typescript');

// Threads and child processes inherit --import.
const isCommand = isMainThread && process.send === undefined;
if (isCommand && existsSync(SOURCES) && existsSync(COMPILER)) {
  const newer = findNewerSource(statSync(import.meta.filename).mtimeMs);
  if (newer !== null) console.error(`dist/ is older than ${newer}. To rebuild it: npm run build`);
}

/** Takes 25 ms for 1,300 files. */
function findNewerSource(builtAtMs: number): string | null {
  for (const entry of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    const folder = entry.parentPath;
    if (!entry.name.endsWith('.ts') || folder.startsWith(GENERATED)) continue;
    const path = join(folder, entry.name);
    if (statSync(path).mtimeMs > builtAtMs) return path;
  }
  return null;
}
