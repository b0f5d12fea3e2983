import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import type { Pool } from 'pg';

// Declared neither by the ES library nor by Node's types for version 20.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

let bindings: ReturnType<typeof loadBindings> | undefined;

/**
 * Open Prisma's schema engine (about 0.1 s); call `free()` when done, which keeps the pool open.
 * @param runScript runs a migration file; keep its error, of which the engine passes on only a number
 */
export async function openPrismaSchemaEngine(
  pool: Pool,
  runScript: (script: string) => Promise<void>,
): Promise<SchemaEngine> {
  const factory = new PrismaPg(pool);
  return createPrismaSchemaEngine({
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => overrideExecuteScript(await factory.connect(), runScript),
    connectToShadowDb: () => factory.connectToShadowDb(),
  });
}

export async function createPrismaSchemaEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<SchemaEngine> {
  // Once per process: a second instance would take the bindings of the first.
  bindings ??= loadBindings();
  const { SchemaEngine } = await bindings;
  return SchemaEngine.new({ datamodels: undefined }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

// The adapter splits scripts at every semicolon, also in strings and function bodies.
function overrideExecuteScript<Adapter extends { executeScript(script: string): Promise<void> }>(
  adapter: Adapter,
  runScript: (script: string) => Promise<void>,
): Adapter {
  adapter.executeScript = runScript;
  return adapter;
}

// The package's entry imports the .wasm as a module, which Node 20 cannot.
async function loadBindings() {
  const module = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(join(dirname(file), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': module });
  module.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return module;
}
