// Replaces the native `schema-engine` that the Prisma CLI starts and npm does not carry: the same engine as
// WebAssembly, behind the same JSON-RPC on standard input and output.
import { createInterface } from 'node:readline';
import pg from 'pg';
import { openPrismaSchemaEngine } from '../../src/platform/schema-engine.ts';

interface EngineRequest {
  id: number;
  method: string;
  params: unknown;
}

const commandArguments = process.argv.slice(2);
const datasource: { url: string } = JSON.parse(
  commandArguments[commandArguments.indexOf('--datasource') + 1] ?? '{}',
);
const pool = new pg.Pool({ connectionString: datasource.url, max: 1 });
pool.on('error', () => {});

if (commandArguments.includes('can-connect-to-database')) {
  await pool.query('SELECT 1');
  console.log('Connection successful');
} else {
  const engine = await openPrismaSchemaEngine(pool, async (script) => {
    await pool.query(script);
  });
  for await (const line of createInterface({ input: process.stdin })) {
    const request: EngineRequest = JSON.parse(line);
    console.log(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...(await answer(request)) }));
  }
  engine.free();

  async function answer({ method, params }: EngineRequest): Promise<object> {
    const call: unknown = Reflect.get(engine, method);
    if (typeof call !== 'function') return { error: { code: -32601, message: `No method ${method}.` } };
    try {
      const input = params as { migrationsList?: object; filters?: object } | undefined;
      const filled = { filters: { externalTables: [], externalEnums: [] }, ...input };
      if (filled.migrationsList) {
        filled.migrationsList = { shadowDbInitScript: '', ...filled.migrationsList };
      }
      return { result: (await call.call(engine, filled)) ?? null };
    } catch (error) {
      const data = { is_panic: false, message: String(error), meta: null, error_code: getErrorCode(error) };
      return { error: { code: 4466, message: String(error), data } };
    }
  }
}
await pool.end();

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
