import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT_CODES } from '../../src/shared/process-exit-codes.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const OPERATION: Record<string, readonly string[]> = {
  'Run the service': ['start', 'worker', 'demo'],
  'Check an installation': ['doctor'],
  'Database migrations': ['migrate'],
  'Backup and restore': ['backup', 'restore'],
  Administrators: ['admin'],
  'Encryption keys': ['keys -- list', 'keys -- add', 'keys -- rotate', 'keys -- retire'],
  Secrets: ['maintenance -- accept-secret'],
  'Files and images': ['maintenance -- check-files', 'images:rebuild'],
  Scans: ['maintenance -- reclassify-scans'],
  'Audit trail': ['audit -- verify', 'audit -- export', 'audit -- public-key'],
  Billing: ['maintenance -- reconcile-billing'],
};

const DEVELOPMENT: Record<string, string> = {
  dev: 'Run the service from its sources and restart it on every change.',
  build: 'Compile into `dist/`. `npm ci` does it too.',
  test: 'Run all tests but the slow ones. Add files or folders to run some, `--watch` to run them again on every change, `--coverage` to see which lines they run.',
  'test:system': 'Run the slow tests: processes, browsers, fuzzing.',
  'test:pages':
    'Open every page for owners and staff in all settings: light, dark, narrow, right to left, without a script, with a second factor. `PAGES=dark` takes the settings with that name.',
  'test:dates':
    'Run the tests that depend on the calendar under 26 dates: ends of months and years, leap days, clock changes. A run that was stopped goes on where it was. `-- --quick` takes three dates and no database. Needs Debian’s `faketime`.',
  'test:mutation':
    'Remove each guard of `test/mutation`, one at a time, and show which no test notices. Takes half an hour or more. `-- billing` removes those whose name or test has that text, `-- --from 90` goes on from a number. See [Mutation tests](../security/mutation-tests.md).',
  check:
    'Check types, format and lint, imports, names, message catalogues, and that generated files are current. `-- <name>` runs one of them.',
  lint: 'Check format, lint, imports and names. `-- --fix` fixes format and lint.',
  types: 'Check types.',
  fuzz: 'Send generated requests and uploads and check every answer against the OpenAPI document. `-- --requests 5000 --uploads 1000 --seed 7` repeats a smaller run.',
  docs: 'Generate the reference and `.env.example`, and say what changed. `-- --check` only says what is out of date.',
  'docs:site':
    'Build the documentation site. A dead link fails the build. `-- --dev` shows it and updates it on every change.',
  'i18n:add':
    'Add a message to every catalogue: `<key> "<English>"`, or `<key> <file>.json` with its translations. See [Translations](../guides/translations.md#add-a-message).',
  'i18n:types': 'Write the types of message keys from `locales/en.json`.',
  package:
    'Build into an empty `dist/`, and write the archive that operators [install](../operations/running.md#install).',
  sbom: 'Print a software bill of materials of what is deployed (CycloneDX).',
};

const LIFECYCLE = ['prepare'];

const INTRODUCTION = `
Run the commands in the folder of the service. They use the same settings as the service and read \`.env\`. Words for a command follow \`--\`. \`-- --help\` prints the usage of a command.
`;

const EXIT_CODE_MEANINGS: Record<keyof typeof EXIT_CODES, string> = {
  USAGE: 'The command was called with invalid words.',
  NO_DATA: 'A file does not have the expected content.',
  NO_INPUT: 'A file cannot be read.',
  UNAVAILABLE: 'A part that the command needs is not configured.',
  SOFTWARE: 'The command failed, for example a migration.',
  TEMPORARY:
    'Try again later: the database or a provider does not answer, a port or a data folder is in use. Or there is no database in DATA_DIR, which only `npm start`, `admin create`, `keys add` and `restore` create.',
  CONFIGURATION: 'The configuration is invalid, or the database was migrated by a newer version.',
  INTERRUPTED: 'The command was interrupted.',
};

/** Format docs/reference/cli.md: every npm script, with usage texts for operators. */
export async function formatCommands(): Promise<string> {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(await readFile('package.json', 'utf8'));
  assertListed(Object.keys(scripts).filter((name) => !name.startsWith('bench')));
  const sources = await readSources();
  const sections = Object.entries(OPERATION).map(([title, names]) => {
    const usages = new Set(names.map((name) => findUsage(name, sources)));
    return `## ${title}\n\n${[...usages].map((usage) => `\`\`\`text\n${usage}\n\`\`\``).join('\n\n')}`;
  });
  const exitCodes = [
    ['0', 'Success.'],
    ['1', 'A check found something, or an error that no other code describes.'],
    ...Object.entries(EXIT_CODES).map(([name, number]) => [
      String(number),
      EXIT_CODE_MEANINGS[name as keyof typeof EXIT_CODES],
    ]),
  ];
  const development = Object.entries(DEVELOPMENT).map(([name, description]) => [
    code(name === 'test' ? 'npm test' : `npm run ${name}`),
    description,
  ]);
  return formatDocument(
    'Commands',
    INTRODUCTION,
    ...sections,
    '## Exit codes',
    formatTable(['code', 'meaning'], exitCodes),
    '## Development',
    formatTable(['command', 'what it does'], development),
    'The commands that measure are in [Benchmarks](../benchmarks.md).',
  );
}

function assertListed(scripts: string[]): void {
  const commands = Object.values(OPERATION)
    .flat()
    .map((name) => name.replace(/ .*/, ''));
  const listed = [...commands, ...Object.keys(DEVELOPMENT), ...LIFECYCLE];
  const missing = scripts.filter((name) => !listed.includes(name));
  const unlisted = listed.filter((name) => !scripts.includes(name));
  if (missing.length + unlisted.length > 0)
    throw new Error(
      `scripts/docs/cli.ts: not listed: ${missing.join(', ')}; no longer there: ${unlisted.join(', ')}`,
    );
}

async function readSources(): Promise<string[]> {
  const names = await readdir('src', { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts') && !name.startsWith('generated'));
  return Promise.all(files.map((name) => readFile(join('src', name), 'utf8')));
}

/** Find the usage text of a command in its source and insert the values of constants. */
function findUsage(name: string, sources: readonly string[]): string {
  const call = name === 'start' ? 'npm start' : `npm run ${name}`;
  const usages = sources.flatMap((source) =>
    [...source.matchAll(/`Usage:\n([^`]*)`/g)].map(([, text]) => text ?? ''),
  );
  const usage = usages.find((text) => new RegExp(`^ *${call}(?![\\w:-])`, 'm').test(text));
  if (usage === undefined) throw new Error(`${call} has no usage in src.`);
  return usage
    .replaceAll(/\$\{(\w+)\}/g, (_all, constant: string) => {
      const value = sources.join('\n').match(new RegExp(`const ${constant} = (\\d+);`))?.[1];
      if (value === undefined) throw new Error(`${call}: no number ${constant} in src.`);
      return value;
    })
    .replaceAll(/^ {2}/gm, '');
}
