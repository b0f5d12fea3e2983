import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FuzzService } from './service.ts';
import type { FuzzWorld } from './world.ts';

export async function findTraces(dataDir: string, service: FuzzService, world: FuzzWorld): Promise<string[]> {
  const faults = (await world.records.findLostText()).map((rows) => `text was lost (U+FFFD) in ${rows}`);
  const temporary = await service.temporaryFiles();
  if (temporary.length > 0) faults.push(`temporary files: ${temporary.slice(0, 5).join(', ')}`);
  const referenced = await world.records.listReferencedFiles();
  for (const folder of ['profile-pictures', 'qrcodes']) {
    const files = await readdir(join(dataDir, 'uploads', folder));
    const unreferenced = files.filter((file) => !referenced.has(file));
    if (unreferenced.length > 0)
      faults.push(`${unreferenced.length} files in ${folder} that no row names: ${unreferenced[0]}`);
  }
  const known = await world.records.listStoredFiles();
  const files = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  const unknown = files.filter((file) => file.isFile() && !known.has(file.name));
  if (unknown.length > 0)
    faults.push(`${unknown.length} private files that no row knows: ${unknown[0]?.name}`);
  const health = await fetch(`http://${service.host}:${service.port}/api/health/ready`).catch(() => null);
  if (!health?.ok) faults.push(`the service is not ready afterwards: ${health?.status}`);
  return faults;
}

export async function findUnexpectedLogLines(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, 'service.log'), 'utf8');
  return text.split('\n').filter((line) => /"level":"?(?:5\d|60|error|fatal)|PROTOTYPE|Error:/.test(line));
}
