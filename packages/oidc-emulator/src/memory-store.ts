import type { Adapter, AdapterPayload } from 'oidc-provider';

/** The oldest entries are dropped first. */
const MAX_ENTRIES = 1_000;

const entriesByKey = new Map<string, { payload: AdapterPayload; expiresAt: number }>();

export class MemoryStore implements Adapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    entriesByKey.set(this.#key(id), { payload, expiresAt: Date.now() + expiresIn * 1000 });
    for (const oldest of entriesByKey.keys()) {
      if (entriesByKey.size <= MAX_ENTRIES) break;
      entriesByKey.delete(oldest);
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = entriesByKey.get(this.#key(id));
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#payloads().find((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#payloads().find((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    entriesByKey.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of entriesByKey) if (payload.grantId === grantId) entriesByKey.delete(key);
  }

  #key(id: string): string {
    return `${this.#model}:${id}`;
  }

  #payloads(): AdapterPayload[] {
    const ours = [...entriesByKey].filter(
      ([key, { expiresAt }]) => key.startsWith(`${this.#model}:`) && expiresAt > Date.now(),
    );
    return ours.map(([, { payload }]) => payload);
  }
}
