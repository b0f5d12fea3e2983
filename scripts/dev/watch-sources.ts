import { basename, extname, join } from 'node:path';
import { watch } from 'chokidar';

const ENV_FILE = '.env';
const WATCHED_ROOTS = ['src', 'locales', 'prisma', ENV_FILE];
const GENERATED_FOLDER = join('src', 'generated');
const EXTENSIONS = ['.ts', '.json', '.prisma', '.sql', '.toml'];

/** Changes within this time count as one: a checkout or "save all" changes many files. */
const QUIET_MS = 100;

/** Call back with changed files; resolves when all folders are watched. Missing folders are watched once they exist. */
export async function watchSources(
  onChange: (files: string[]) => void,
  onError: (error: unknown) => void,
): Promise<void> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(WATCHED_ROOTS, {
    ignoreInitial: true,
    ignored: (path, stats) => path === GENERATED_FOLDER || (stats?.isFile() === true && !isSource(path)),
  });
  watcher.on('error', onError);
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      onChange([...changed]);
      changed.clear();
    }, QUIET_MS);
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}

function isSource(path: string): boolean {
  const name = basename(path);
  return name === ENV_FILE || (!name.startsWith('.') && EXTENSIONS.includes(extname(name)));
}
