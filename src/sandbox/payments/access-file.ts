import { join, resolve } from 'node:path';
import { makePrivateFolder, readIfThere, writePrivateFile } from '../../start/private-file.ts';

const FILE = 'payment-sandbox-access.json';

/** How a sandbox is reached: kept, so that workers and commands find it, and addresses stay good over a restart. */
export interface SandboxAccess {
  port: number;
  secretKey: string;
  webhookSecret: string;
}

/** How the sandbox of a data folder is reached; null where there never was one. */
export async function readAccess(dataDir: string): Promise<SandboxAccess | null> {
  const text = await readIfThere(join(dataDir, FILE));
  if (text === undefined) return null;
  try {
    const { port, secretKey, webhookSecret } = JSON.parse(text);
    const isWhole =
      Number.isInteger(port) && typeof secretKey === 'string' && typeof webhookSecret === 'string';
    return isWhole ? { port, secretKey, webhookSecret } : null;
  } catch {
    return null;
  }
}

export async function writeAccess(dataDir: string, access: SandboxAccess): Promise<void> {
  await makePrivateFolder(resolve(dataDir));
  await writePrivateFile(join(dataDir, FILE), `${JSON.stringify(access, null, 2)}\n`);
}
