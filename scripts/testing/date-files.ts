import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Calendar units, calendar arithmetic, fixed dates, and emulators, which have a clock of their own. */
const CALENDAR_PATTERN = new RegExp(
  [
    /\b(?:DAY|WEEK|MONTH|YEAR)S?(?:_MS|_SECONDS)?\b|\b86_?400/,
    /\bcurrent_date\b|\bdate_trunc\b|interval '\d+ (?:day|week|month|year)/,
    /[gs]etUTC(?:Date|Day|Month|FullYear)|toISOString\(\)\.slice\(0, /,
    /['"`]20\d\d-\d\d-\d\d/,
    /(?:stripe|oidc)-emulator/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const IMPORT_PATTERN = /(?:from |import |import\()'(?<path>\.[^']+\.ts)'/g;

/** Address of the test database. */
const DATABASE_PATTERN = /\bTEST_OWNER_URL\b/;

export interface DateFile {
  file: string;
  needsDatabase: boolean;
}

/** Choose the test files whose text, or that of a helper which they import, depends on the calendar. */
export function chooseDateFiles(files: readonly string[], read = readText): DateFile[] {
  return files.flatMap((file) => {
    const texts = [...listImportedTests(file, read)].map(read);
    return texts.some((text) => CALENDAR_PATTERN.test(text))
      ? [{ file, needsDatabase: texts.some((text) => DATABASE_PATTERN.test(text)) }]
      : [];
  });
}

/** The file, and what it imports of `test/`, directly or not. */
function listImportedTests(file: string, read: typeof readText, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { groups } of read(file).matchAll(IMPORT_PATTERN)) {
    const path = join(dirname(file), groups?.path ?? '');
    if (path.startsWith('test/')) listImportedTests(path, read, found);
  }
  return found;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
