import type { EmulatorStore } from './store.ts';

const FILE = 'payment-sandbox-access.json';

/** How an emulator is reached: kept, so that workers and commands find it, and addresses stay good over a restart. */
export interface EmulatorAccess {
  port: number;
  secretKey: string;
  webhookSecret: string;
}

/** Read how the emulator of a store is reached; null where there never was one. */
export async function readAccess(store: EmulatorStore): Promise<EmulatorAccess | null> {
  const text = await store.read(FILE);
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

export async function writeAccess(store: EmulatorStore, access: EmulatorAccess): Promise<void> {
  await store.write(FILE, `${JSON.stringify(access, null, 2)}\n`);
}
