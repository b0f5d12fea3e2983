import type { EmulatorStore } from './store.ts';

const ACCESS_FILE_NAME = 'payment-sandbox-access.json';

/** How an emulator is reached: kept, so that workers and commands find it, and addresses stay good over a restart. */
export interface EmulatorAccess {
  port: number;
  secretKey: string;
  webhookSecret: string;
}

/** Read how the emulator of a store is reached; null where there never was one. */
export async function readEmulatorAccess(store: EmulatorStore): Promise<EmulatorAccess | null> {
  const text = await store.read(ACCESS_FILE_NAME);
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

export async function writeEmulatorAccess(store: EmulatorStore, access: EmulatorAccess): Promise<void> {
  await store.write(ACCESS_FILE_NAME, `${JSON.stringify(access, null, 2)}\n`);
}
