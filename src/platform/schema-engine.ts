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

// Neither the ES library nor Node's types for version 20 declare it.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

let bindings: ReturnType<typeof loadBindings> | undefined;

/**
 * Prisma's official schema engine on a pool: what `prisma migrate` drives, compiled to WebAssembly.
 * The first call takes about 0.1 s. Call `free()` on the engine when done; the pool stays open.
 * @param runScript runs one whole migration file; what it throws reaches the caller of the engine only
 * as a number, so keep it there
 */
export async function openSchemaEngine(
  pool: Pool,
  runScript: (script: string) => Promise<void>,
): Promise<SchemaEngine> {
  const factory = new PrismaPg(pool);
  return createSchemaEngine({
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => overrideExecuteScript(await factory.connect(), runScript),
    connectToShadowDb: () => factory.connectToShadowDb(),
  });
}

/** Prisma's schema engine on the connections of a factory. */
export async function createSchemaEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<SchemaEngine> {
  // Loaded once a process: a second instance would take the bindings away from the first.
  bindings ??= loadBindings();
  const { SchemaEngine } = await bindings;
  return SchemaEngine.new({ datamodels: undefined }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

// The adapter's own cuts a script at every semicolon, inside strings and function bodies too.
function overrideExecuteScript<Adapter extends { executeScript(script: string): Promise<void> }>(
  adapter: Adapter,
  runScript: (script: string) => Promise<void>,
): Adapter {
  adapter.executeScript = runScript;
  return adapter;
}

// The package's own entry imports the .wasm as a module, which Node 20 cannot.
async function loadBindings() {
  const module = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(join(dirname(file), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': module });
  module.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return module;
}
