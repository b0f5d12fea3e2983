import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';

const SCHEMA = 'prisma/schema.prisma';
const CLIENT = 'src/generated/prisma/client.ts';

/** Generates the Prisma client where it is missing or older than its schema; false where that fails. */
export async function updatePrismaClient(): Promise<boolean> {
  const [schema, client] = await Promise.all([modifiedAt(SCHEMA), modifiedAt(CLIENT)]);
  if (schema <= client) return true;
  const generate = spawn('node_modules/.bin/prisma', ['generate'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(generate, 'exit');
  return code === 0;
}

async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}
