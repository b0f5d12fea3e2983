import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runWithServices } from '../../src/commands/command-context.ts';
import { generateId } from '../../src/shared/ids.ts';
import { runQuery } from '../../test/scratch-folder.ts';
import { createProgressByName } from '../data/fill-database.ts';
import { type GeneratedData, generateData, rollUpData } from '../data/generate-data.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import { createProcessEnvironment } from '../service-process.ts';

const METADATA_FILE_NAME = 'made.json';

/** The data of older folders ends too long before today for the measured periods. */
const MAX_FOLDER_AGE_MS = 24 * 60 * 60 * 1000;

/** Provide a folder with rolled-up scans: a temporary one or, with a cache folder, one generated once a day. */
export async function runWithFilledFolder<Result>(
  scans: number,
  cacheFolder: string | null,
  work: (folder: string, data: GeneratedData) => Promise<Result>,
): Promise<Result> {
  const cachedFolder = cacheFolder === null ? null : join(resolve(cacheFolder), String(scans));
  const known = cachedFolder && (await readGeneratedData(cachedFolder));
  if (cachedFolder && known) return work(cachedFolder, known);
  if (cachedFolder) await rm(cachedFolder, { recursive: true, force: true });
  if (cachedFolder) await mkdir(cachedFolder, { recursive: true });
  const folder = cachedFolder ?? (await mkdtemp(join(tmpdir(), 'qr-bench-')));
  const giveUp = new AbortController();
  let fill: Promise<unknown> = Promise.resolve();
  const cleanUp = async () => {
    giveUp.abort();
    await fill.catch(() => {});
    if (!cachedFolder) await rm(folder, { recursive: true, force: true });
  };
  return runWithCleanUp(cleanUp, async () => {
    const filled = fillFolder(folder, scans, giveUp.signal);
    fill = filled;
    const data = await filled;
    await writeFile(join(folder, METADATA_FILE_NAME), JSON.stringify(data));
    return work(folder, data);
  });
}

async function readGeneratedData(folder: string): Promise<GeneratedData | null> {
  const file = join(folder, METADATA_FILE_NAME);
  const metadata = await stat(file).catch(() => null);
  if (!metadata || Date.now() - metadata.mtimeMs > MAX_FOLDER_AGE_MS) return null;
  return JSON.parse(await readFile(file, 'utf8'));
}

function fillFolder(folder: string, scans: number, signal: AbortSignal): Promise<GeneratedData> {
  return runWithServices(createProcessEnvironment(folder), { canCreateDatabase: true }, async (services) => {
    const onProgress = createProgressByName();
    const account = { email: 'bench@example.org', password: generateId() };
    const data = await generateData(services, { scans, ...account, onProgress, signal });
    await vacuumDatabase(folder);
    await rollUpData(services, { onProgress, signal });
    await vacuumDatabase(folder);
    return data;
  });
}

async function vacuumDatabase(folder: string): Promise<void> {
  const connectionString = (await readFile(join(folder, 'database-url'), 'utf8')).trim();
  await runQuery(connectionString, 'VACUUM (ANALYZE)');
}
