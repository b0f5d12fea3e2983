import type { EmulatorStore } from './store.ts';

const ACCESS_FILE_NAME = 'payment-sandbox-access.json';

/** Access data, stored so that workers and commands find it and URLs survive a restart. */
export interface EmulatorAccess {
  port: number;
  secretKey: string;
  webhookSecret: string;
}

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
