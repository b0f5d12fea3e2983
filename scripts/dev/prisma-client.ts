import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';

const SCHEMA_PATH = 'prisma/schema.prisma';
const CLIENT_PATH = 'src/generated/prisma/client.ts';

/** Generate the Prisma client if it is missing or older than its schema; returns false on failure. */
export async function updatePrismaClient(): Promise<boolean> {
  const [schema, client] = await Promise.all([
    getModificationTime(SCHEMA_PATH),
    getModificationTime(CLIENT_PATH),
  ]);
  if (schema <= client) return true;
  const generate = spawn('node_modules/.bin/prisma', ['generate'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(generate, 'exit');
  return code === 0;
}

async function getModificationTime(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}
