import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { withServices } from '../../src/commands/command-context.ts';
import { generateId } from '../../src/shared/ids.ts';
import { cleaned } from '../broken-off.ts';
import { foldData, type MadeData, makeData } from '../data/make-data.ts';
import { progressByName } from '../data/progress-by-name.ts';

/** What is known of the scans in a folder, once they are all there. */
const MADE_FILE = 'made.json';

/** Older ones end too long before today: what is asked of them would be something else. */
const LONGEST_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * A folder with the service's data and so many scans, rolled up: one that is gone afterwards, or, where they shall be
 * kept, a folder in there that is made once a day.
 */
export async function withFilledFolder<Result>(
  scans: number,
  keepIn: string | null,
  work: (folder: string, data: MadeData) => Promise<Result>,
): Promise<Result> {
  const kept = keepIn === null ? null : join(resolve(keepIn), String(scans));
  const known = kept && (await readMade(kept));
  if (kept && known) return work(kept, known);
  if (kept) await rm(kept, { recursive: true, force: true });
  if (kept) await mkdir(kept, { recursive: true });
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'qr-bench-')));
  const giveUp = new AbortController();
  let filling: Promise<unknown> = Promise.resolve();
  const cleanUp = async () => {
    giveUp.abort();
    await filling.catch(() => {});
    if (!kept) await rm(folder, { recursive: true, force: true });
  };
  return cleaned(cleanUp, async () => {
    const filled = fill(folder, scans, giveUp.signal);
    filling = filled;
    const data = await filled;
    await writeFile(join(folder, MADE_FILE), JSON.stringify(data));
    return work(folder, data);
  });
}

async function readMade(folder: string): Promise<MadeData | null> {
  const file = join(folder, MADE_FILE);
  const made = await stat(file).catch(() => null);
  if (!made || Date.now() - made.mtimeMs > LONGEST_KEPT_MS) return null;
  return JSON.parse(await readFile(file, 'utf8'));
}

function fill(folder: string, scans: number, stopping: AbortSignal): Promise<MadeData> {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, DATA_DIR: folder, UPLOADS_DIR: join(folder, 'uploads') };
  return withServices(environment, {}, async (services) => {
    const progress = progressByName();
    const account = { email: 'bench@example.org', password: generateId() };
    const data = await makeData(services, { scans, ...account, progress, stopping });
    await vacuum(folder);
    const { spans, seconds } = await foldData(services, { progress, stopping });
    const made = data.size.scans + data.size.others;
    console.log(`${made} scans rolled up to ${spans} spans in ${seconds.toFixed(0)} s`);
    await vacuum(folder);
    return data;
  });
}

async function vacuum(folder: string): Promise<void> {
  const connectionString = (await readFile(join(folder, 'database-url'), 'utf8')).trim();
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('VACUUM (ANALYZE)');
  await client.end();
}
